@NullMarked
package dev.evenkeel.decide.schedule.place;

import org.jspecify.annotations.NullMarked;
