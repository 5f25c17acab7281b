package dev.evenkeel.kernel.env;

import java.time.Instant;

/** What time it is. */
public interface Clock {

  /** The time of day: for timestamps that people read. It may jump. */
  Instant now();

  /** Nanoseconds from an arbitrary start: for measuring. It never goes back. */
  long nanoTime();
}
