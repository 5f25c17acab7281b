package dev.evenkeel.decide.queue;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Keeps keys from something that is overloaded. It opens when overload is reported often enough,
 * stays open for a time that doubles, and then lets one key at a time through until enough of them
 * went well.
 *
 * <p><b>Threading:</b> its queue's.
 */
final class Breaker {

  final String dependency;

  /** The keys that wait for it. The server's are not here: they wait where they are. */
  final Chain<Slot> held = new Chain<>();

  private final QueueLimits limits;
  private boolean open;
  private int openings;
  private int probesWell;
  private long nextProbe;
  private int overloads;
  private long windowStart;
  private long openSince;
  private long openBefore;

  Breaker(String dependency, QueueLimits limits) {
    this.dependency = dependency;
    this.limits = limits;
  }

  boolean isOpen() {
    return open;
  }

  int openings() {
    return openings;
  }

  /** When a key may be let through; only while open. */
  long nextProbe() {
    return nextProbe;
  }

  /** How long it has been open in all, at a time that is not before the last change. */
  long openNanos(long now) {
    return open ? openBefore + (now - openSince) : openBefore;
  }

  /** Nothing would be lost by forgetting it. */
  boolean isIdle(long now) {
    return !open && now - windowStart > Backoff.nanos(limits.overloadWindow());
  }

  /** A key that was no probe found it overloaded: what was sent before it opened says no more. */
  void overloaded(long now, Duration retryAfter, RandomGenerator random) {
    if (open) {
      return;
    }
    if (overloads == 0 || now - windowStart > Backoff.nanos(limits.overloadWindow())) {
      windowStart = now;
      overloads = 0;
    }
    overloads++;
    if (overloads >= limits.overloadsToOpen()) {
      open = true;
      openSince = now;
      openAgain(now, retryAfter, random);
    }
  }

  /** A key is let through. Should nothing be heard of it for long, another one may go. */
  void probe(long now) {
    nextProbe = now + Backoff.nanos(limits.openMax());
  }

  void probeOverloaded(long now, Duration retryAfter, RandomGenerator random) {
    if (open) {
      openAgain(now, retryAfter, random);
    } else {
      overloaded(now, retryAfter, random);
    }
  }

  /** The probe ended in a way that says nothing about this dependency. */
  void probeInconclusive(long now) {
    nextProbe = now;
  }

  void probeWell(long now) {
    if (!open) {
      return;
    }
    probesWell++;
    nextProbe = now;
    if (probesWell >= limits.probesToClose()) {
      close(now);
    }
  }

  void close(long now) {
    openBefore += now - openSince;
    open = false;
    openings = 0;
    probesWell = 0;
    overloads = 0;
    windowStart = now;
  }

  private void openAgain(long now, Duration retryAfter, RandomGenerator random) {
    openings++;
    probesWell = 0;
    long growing =
        Backoff.nanos(
            Backoff.nanos(limits.openFirst()), limits.openMax().toNanos(), openings, random);
    long asked = Math.min(Backoff.nanos(retryAfter), Backoff.nanos(limits.openMax()));
    nextProbe = now + Math.max(growing, asked);
  }
}
