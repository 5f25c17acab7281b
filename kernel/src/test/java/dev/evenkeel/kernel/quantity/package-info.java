/** What {@link dev.evenkeel.kernel.quantity.Quantity} promises. */
@NullMarked
package dev.evenkeel.kernel.quantity;

import org.jspecify.annotations.NullMarked;
