/**
 * Proofs about the whole: benchmarks, and the tests that need more than one part. It stands behind
 * everything else in the flow and nothing depends on it; its commands reach {@code evenkeel} as a
 * service.
 */
@NullMarked
package dev.evenkeel.prove;

import org.jspecify.annotations.NullMarked;
