package dev.evenkeel.observe.feed;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait after failures in a row: doubling, capped, half of it by chance. */
final class Backoff {

  private final RandomGenerator random;
  private final long firstNanos;
  private final long maxNanos;
  private int failures;

  Backoff(RandomGenerator random, Duration first, Duration max) {
    this.random = random;
    this.firstNanos = first.toNanos();
    this.maxNanos = max.toNanos();
  }

  int failures() {
    return failures;
  }

  void succeeded() {
    failures = 0;
  }

  /**
   * Counts a failure.
   *
   * @param atLeast what the server asks for
   */
  Duration failed(Duration atLeast) {
    long whole = firstNanos;
    for (int i = 0; i < failures && whole < maxNanos; i++) {
      whole *= 2;
    }
    whole = Math.min(whole, maxNanos);
    failures++;
    long nanos = whole / 2 + random.nextLong(whole / 2 + 1);
    return Duration.ofNanos(Math.max(nanos, atLeast.toNanos()));
  }
}
