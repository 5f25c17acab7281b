/** What {@link dev.evenkeel.kernel.pem.Pem} promises. */
@NullMarked
package dev.evenkeel.kernel.pem;

import org.jspecify.annotations.NullMarked;
