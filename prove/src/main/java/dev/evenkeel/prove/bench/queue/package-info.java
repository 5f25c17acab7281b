/**
 * The work queue's benchmark: how fast wake-ups merge and keys are handed out, and what a key
 * costs.
 */
@NullMarked
package dev.evenkeel.prove.bench.queue;

import org.jspecify.annotations.NullMarked;
