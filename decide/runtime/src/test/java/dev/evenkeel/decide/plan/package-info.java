/** Tests of {@code plan}. */
@NullMarked
package dev.evenkeel.decide.plan;

import org.jspecify.annotations.NullMarked;
