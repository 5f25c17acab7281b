package dev.evenkeel.kernel.env;

import java.time.Duration;

/** Delays as both environments count them. */
final class Delays {

  /** About 146 years: far enough, and two of them added still fit a long. */
  private static final long DELAY_NANOS_MAX = Long.MAX_VALUE / 2;

  private Delays() {}

  /** The delay in nanoseconds: none if it is negative, the longest there is if it is longer. */
  static long toNanos(Duration delay) {
    if (delay.isNegative()) {
      return 0;
    }
    return delay.compareTo(Duration.ofNanos(DELAY_NANOS_MAX)) > 0
        ? DELAY_NANOS_MAX
        : delay.toNanos();
  }
}
