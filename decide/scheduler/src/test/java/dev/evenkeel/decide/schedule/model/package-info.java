@NullMarked
package dev.evenkeel.decide.schedule.model;

import org.jspecify.annotations.NullMarked;
