@NullMarked
package dev.evenkeel.decide.schedule.run;

import org.jspecify.annotations.NullMarked;
