/**
 * What must always hold, checked where it is cheap while the server runs. A violation is a fault of
 * ours: it is logged with its evidence and counted, and fails the test during which it happens.
 */
@NullMarked
package dev.evenkeel.kernel.invariant;

import org.jspecify.annotations.NullMarked;
