package dev.evenkeel.decide.queue;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait. */
final class Backoff {

  /** About 73 years: two of them and a clock still fit a long. */
  private static final long NANOS_MAX = Long.MAX_VALUE / 4;

  private Backoff() {}

  /**
   * The wait after the nth failure: it doubles up to the most, and the later half of it is chance,
   * so that what failed together does not come back together.
   */
  static long nanos(long first, long max, int failures, RandomGenerator random) {
    int doublings = Math.min(failures - 1, Long.numberOfLeadingZeros(first) - 1);
    long whole = Math.min(max, first << doublings);
    return whole - (long) (whole / 2.0 * random.nextDouble());
  }

  /** A duration in nanoseconds: none if negative, and no longer than can be counted. */
  static long nanos(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(Duration.ofNanos(NANOS_MAX)) > 0 ? NANOS_MAX : duration.toNanos();
  }
}
