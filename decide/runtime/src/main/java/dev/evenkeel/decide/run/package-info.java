/**
 * Runs controllers: takes keys from their queues, has reconcilers plan, finds out what they ask
 * for, carries plans out one action at a time, and writes down what was decided and what came of
 * it. All that is done to the API is done here; what is outside of it is in {@code effect}, and
 * what keeps reconcilers within bounds in {@code guard}.
 */
@NullMarked
package dev.evenkeel.decide.run;

import org.jspecify.annotations.NullMarked;
