package dev.evenkeel.decide.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The breakers of a queue. The server's is for all keys; any other is for the keys that have met
 * the overload themselves, because only they are known to need what is overloaded.
 *
 * <p><b>Threading:</b> its queue's.
 */
final class Breakers {

  final Breaker server;
  private final QueueLimits limits;
  private final Map<String, Breaker> others = new LinkedHashMap<>();

  /** How many of the others are open: mostly none, and then there is nothing to look through. */
  private int open;

  Breakers(QueueLimits limits) {
    this.limits = limits;
    this.server = new Breaker(WorkQueue.SERVER, limits);
  }

  Collection<Breaker> others() {
    return others.values();
  }

  /**
   * Hears how work ended.
   *
   * @return whether the key must wait for a breaker
   */
  boolean answered(Slot slot, Result result, long now, RandomGenerator random) {
    Breaker overloaded = null;
    Duration retryAfter = Duration.ZERO;
    if (result instanceof Result.Overloaded(String dependency, Duration asked)) {
      overloaded = find(dependency, now);
      retryAfter = asked;
    }
    boolean counted = false;
    if (slot.probesServer) {
      slot.probesServer = false;
      counted = settle(server, overloaded, result, retryAfter, now, random);
    }
    Breaker own = slot.breaker;
    if (own != null && slot.probesBreaker) {
      slot.probesBreaker = false;
      counted |= settle(own, overloaded, result, retryAfter, now, random);
    }
    if (overloaded != null && !counted) {
      overloaded.overloaded(now, retryAfter, random);
    }
    if (overloaded != null && overloaded != server) {
      slot.breaker = overloaded;
    }
    recount();
    return overloaded != null && overloaded.isOpen();
  }

  /**
   * What the end of a probe says about its breaker.
   *
   * @return whether it was an overload of just this one
   */
  private static boolean settle(
      Breaker probed,
      @Nullable Breaker overloaded,
      Result result,
      Duration retryAfter,
      long now,
      RandomGenerator random) {
    if (probed == overloaded) {
      probed.probeOverloaded(now, retryAfter, random);
      return true;
    }
    if (result instanceof Result.Overloaded && !probed.dependency.equals(WorkQueue.SERVER)) {
      probed.probeInconclusive(now);
    } else {
      probed.probeWell(now);
    }
    return false;
  }

  /** The breaker of a dependency, or null if there are too many to have one for it. */
  private @Nullable Breaker find(String dependency, long now) {
    if (dependency.equals(WorkQueue.SERVER)) {
      return server;
    }
    Breaker known = others.get(dependency);
    if (known != null) {
      return known;
    }
    if (others.size() >= limits.dependenciesMax()) {
      others.values().removeIf(breaker -> breaker.isIdle(now));
    }
    if (others.size() >= limits.dependenciesMax()) {
      return null;
    }
    var breaker = new Breaker(dependency, limits);
    others.put(dependency, breaker);
    return breaker;
  }

  /** Those that may let a key through now. One that nobody waits for is closed instead. */
  List<Breaker> dueForProbe(long now) {
    if (open == 0) {
      return List.of();
    }
    var due = new ArrayList<Breaker>();
    for (Breaker breaker : others.values()) {
      if (breaker.isOpen() && breaker.nextProbe() <= now) {
        if (breaker.held.isEmpty()) {
          breaker.close(now);
        } else {
          due.add(breaker);
        }
      }
    }
    recount();
    return due;
  }

  /** When the next of the keys that wait for one of the others may be let through. */
  long nextProbe() {
    long next = WorkQueue.NEVER;
    if (open > 0) {
      for (Breaker breaker : others.values()) {
        if (breaker.isOpen() && !breaker.held.isEmpty()) {
          next = Math.min(next, breaker.nextProbe());
        }
      }
    }
    return next;
  }

  int held() {
    int held = 0;
    for (Breaker breaker : others.values()) {
      held += breaker.held.size();
    }
    return held;
  }

  void clear() {
    others.clear();
    open = 0;
  }

  private void recount() {
    open = 0;
    for (Breaker breaker : others.values()) {
      open += breaker.isOpen() ? 1 : 0;
    }
  }
}
