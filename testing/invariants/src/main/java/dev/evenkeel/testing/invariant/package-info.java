/**
 * Fails the test during which an invariant was violated, in every module's tests without a word in
 * them: JUnit finds it on the class path.
 */
@NullMarked
package dev.evenkeel.testing.invariant;

import org.jspecify.annotations.NullMarked;
