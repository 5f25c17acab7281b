/**
 * The store in memory: for tests and simulation. On a simulated env the same seed gives the same
 * run. It forgets everything when it is closed; a snapshot is how to keep something.
 */
@NullMarked
package dev.evenkeel.store.memory;

import org.jspecify.annotations.NullMarked;
