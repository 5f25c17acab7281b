/**
 * Runs controllers: takes keys from their queues, has reconcilers plan, carries plans out one
 * action at a time, and writes down what was decided and what came of it. All effects are here.
 */
@NullMarked
package dev.evenkeel.decide.run;

import org.jspecify.annotations.NullMarked;
