/** What a loop and the two environments promise. */
@NullMarked
package dev.evenkeel.kernel.env;

import org.jspecify.annotations.NullMarked;
