package dev.evenkeel.kernel.env;

import java.util.random.RandomGenerator;

/** Time, chance and threads, as one thing to hand on. */
public interface Env {

  Clock clock();

  /** A generator of the caller's own. Under simulation it follows from the seed. */
  RandomGenerator random();

  /**
   * Starts a loop: one owner for a piece of state.
   *
   * @param name what a thread dump and a trace call it, for example {@code store-sequencer}
   */
  Loop loop(String name);
}
