/** What the three kinds of patches make of objects, and what they refuse. */
@NullMarked
package dev.evenkeel.kernel.patch;

import org.jspecify.annotations.NullMarked;
