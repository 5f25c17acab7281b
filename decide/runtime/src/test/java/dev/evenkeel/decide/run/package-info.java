/** Tests of {@code run}. */
@NullMarked
package dev.evenkeel.decide.run;

import org.jspecify.annotations.NullMarked;
