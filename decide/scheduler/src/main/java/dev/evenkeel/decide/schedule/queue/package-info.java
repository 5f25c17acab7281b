/**
 * The pods that wait for a node: which is next, which failed and after how long it is tried again,
 * and which event may make a difference to it. Filled by what follows the server, emptied by
 * scheduling.
 */
@NullMarked
package dev.evenkeel.decide.schedule.queue;

import org.jspecify.annotations.NullMarked;
