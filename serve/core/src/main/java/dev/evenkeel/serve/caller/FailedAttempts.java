package dev.evenkeel.serve.caller;

import dev.evenkeel.kernel.env.Clock;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Slows down those who try tokens: each address may fail {@link #BURST} times at once, and then
 * {@link #PER_SECOND} times a second. Other addresses are not slowed, and neither is whoever comes
 * from the same one with a token that is known to be good.
 *
 * <p><b>Invariants:</b> at most {@link #ADDRESSES_MAX} are remembered. Those that did not fail of
 * late are forgotten first; if that is not enough all are, for whoever has as many addresses has as
 * many tries anyway.
 *
 * <p><b>Threading:</b> any.
 */
final class FailedAttempts {

  static final int BURST = 20;
  static final int PER_SECOND = 2;
  static final int ADDRESSES_MAX = 10_000;

  private static final double NANOS = 1e9;

  /** An end of an address of IPv6 is whatever its owner likes: the network is in its first half. */
  private static final int NETWORK_GROUPS = 4;

  private record Left(double tries, long atNanos) {
    Left at(long nowNanos) {
      double regained = (nowNanos - atNanos) / NANOS * PER_SECOND;
      return new Left(Math.min(BURST, tries + regained), nowNanos);
    }
  }

  private final ConcurrentHashMap<String, Left> left = new ConcurrentHashMap<>();
  private final Clock clock;

  FailedAttempts(Clock clock) {
    this.clock = clock;
  }

  /** Whether nothing that is new is to be looked at from there. */
  boolean areTooMany(String address) {
    if (left.isEmpty() || address.isEmpty()) {
      return false;
    }
    Left known = left.get(network(address));
    return known != null && known.at(clock.nanoTime()).tries < 1;
  }

  void count(String address) {
    if (address.isEmpty()) {
      return; // from within the process
    }
    long now = clock.nanoTime();
    if (left.size() >= ADDRESSES_MAX) {
      left.values().removeIf(each -> each.at(now).tries >= BURST);
      if (left.size() >= ADDRESSES_MAX) {
        left.clear();
      }
    }
    left.merge(
        network(address),
        new Left(BURST - 1.0, now),
        (known, _) -> {
          Left regained = known.at(now);
          return new Left(Math.max(0, regained.tries - 1), now);
        });
  }

  int size() {
    return left.size();
  }

  private static String network(String address) {
    int end = -1;
    for (int i = 0; i < NETWORK_GROUPS; i++) {
      int next = address.indexOf(':', end + 1);
      if (next < 0) {
        return address;
      }
      end = next;
    }
    return address.substring(0, end);
  }
}
