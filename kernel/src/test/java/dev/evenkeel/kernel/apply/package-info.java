/** Tests of ownership and apply. */
@NullMarked
package dev.evenkeel.kernel.apply;

import org.jspecify.annotations.NullMarked;
