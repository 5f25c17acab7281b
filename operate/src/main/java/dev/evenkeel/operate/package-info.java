/**
 * The {@code evenkeel} command: the assembly at the end of the flow, where the parts are put
 * together and given to people. Nothing of the product depends on it.
 */
@NullMarked
package dev.evenkeel.operate;

import org.jspecify.annotations.NullMarked;
