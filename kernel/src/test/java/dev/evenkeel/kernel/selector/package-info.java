/** What selectors accept, refuse and match. */
@NullMarked
package dev.evenkeel.kernel.selector;

import org.jspecify.annotations.NullMarked;
