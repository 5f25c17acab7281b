/**
 * What nodes have, what pods take of it, and whether the one is enough for the other. Whoever
 * places pods and whoever commits it judge by the same function, so that the one never insists on
 * what the other refuses.
 */
@NullMarked
package dev.evenkeel.kernel.fit;

import org.jspecify.annotations.NullMarked;
