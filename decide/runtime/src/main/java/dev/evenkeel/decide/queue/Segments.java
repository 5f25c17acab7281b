package dev.evenkeel.decide.queue;

/**
 * Where the time went between a key's first wake-up and the moment a worker took it.
 *
 * @param readyNanos it could have been taken, and others went first
 * @param delayedNanos it was asked for later
 * @param backoffNanos it had failed
 * @param gatedNanos something it needs was overloaded
 * @param busyNanos somebody was still at work on the same key
 */
public record Segments(
    long readyNanos, long delayedNanos, long backoffNanos, long gatedNanos, long busyNanos) {

  public static final Segments NONE = new Segments(0, 0, 0, 0, 0);

  public long totalNanos() {
    return readyNanos + delayedNanos + backoffNanos + gatedNanos + busyNanos;
  }

  Segments plusReady(long nanos) {
    return nanos == 0
        ? this
        : new Segments(readyNanos + nanos, delayedNanos, backoffNanos, gatedNanos, busyNanos);
  }

  Segments plusDelayed(long nanos) {
    return nanos == 0
        ? this
        : new Segments(readyNanos, delayedNanos + nanos, backoffNanos, gatedNanos, busyNanos);
  }

  Segments plusBackoff(long nanos) {
    return nanos == 0
        ? this
        : new Segments(readyNanos, delayedNanos, backoffNanos + nanos, gatedNanos, busyNanos);
  }

  Segments plusGated(long nanos) {
    return nanos == 0
        ? this
        : new Segments(readyNanos, delayedNanos, backoffNanos, gatedNanos + nanos, busyNanos);
  }

  Segments plusBusy(long nanos) {
    return nanos == 0
        ? this
        : new Segments(readyNanos, delayedNanos, backoffNanos, gatedNanos, busyNanos + nanos);
  }
}
