/**
 * What the runtime sees to for every reconciler: that its objects do not go before they are cleaned
 * up, that work which takes too long is called so, that going round in circles is slowed down, and
 * that what no reconciler should do is counted. Nothing here acts; {@code run} does.
 */
@NullMarked
package dev.evenkeel.decide.guard;

import org.jspecify.annotations.NullMarked;
