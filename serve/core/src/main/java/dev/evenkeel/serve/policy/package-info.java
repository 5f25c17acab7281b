/**
 * Runs admission policies: finds those that are in force for a write, evaluates them, and changes,
 * refuses, warns or notes as they say. It stands behind the built-in plugins of admission and knows
 * the kinds only as far as {@link dev.evenkeel.serve.policy.World} shows them.
 */
@NullMarked
package dev.evenkeel.serve.policy;

import org.jspecify.annotations.NullMarked;
