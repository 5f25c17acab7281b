/**
 * What nodes are to pods: why one is none, and what it is worth. Each class knows one sort of
 * argument and keeps what it computed, so that the next pod like this one looks only at nodes that
 * changed.
 */
@NullMarked
package dev.evenkeel.decide.schedule.judge;

import org.jspecify.annotations.NullMarked;
