/** What {@link dev.evenkeel.kernel.bytes.Bytes} promises. */
@NullMarked
package dev.evenkeel.kernel.bytes;

import org.jspecify.annotations.NullMarked;
