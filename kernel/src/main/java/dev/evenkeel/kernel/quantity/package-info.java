/** Amounts of resources: {@code 500m} of a CPU, {@code 1Gi} of memory. Exact, never floating. */
@NullMarked
package dev.evenkeel.kernel.quantity;

import org.jspecify.annotations.NullMarked;
