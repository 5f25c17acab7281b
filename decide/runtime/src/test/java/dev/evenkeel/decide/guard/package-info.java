/** Tests of {@code guard}. */
@NullMarked
package dev.evenkeel.decide.guard;

import org.jspecify.annotations.NullMarked;
