package dev.evenkeel.kernel.env;

import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** The machine's clock, chance and threads: a loop is a thread. */
public final class RealEnv implements Env {

  private static final Clock CLOCK =
      new Clock() {
        @Override
        public Instant now() {
          return Instant.now();
        }

        @Override
        public long nanoTime() {
          return System.nanoTime();
        }
      };

  /** Delegates call by call: a generator of one thread may be handed to another. */
  private static final RandomGenerator RANDOM = () -> ThreadLocalRandom.current().nextLong();

  @Override
  public Clock clock() {
    return CLOCK;
  }

  @Override
  public RandomGenerator random() {
    return RANDOM;
  }

  @Override
  public Loop loop(String name) {
    return ThreadLoop.start(name);
  }
}
