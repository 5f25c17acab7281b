package dev.evenkeel.decide.guard;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How often a reconciler did what none should.
 *
 * <p><b>Threading:</b> for any thread.
 */
public final class Mishaps {

  /** What it did. */
  public enum Kind {
    /** It threw. */
    THREW,
    /** It did the same over and over. */
    LOOPED,
    /** It planned more than is carried out at a time. */
    PLANNED_TOO_MUCH,
    /** It asked for more each time it was answered. */
    ASKED_TOO_MUCH,
    /** It did not return. */
    STUCK,
    /** Its work on a generation took longer than it may. */
    OVERDUE
  }

  private final Map<Kind, AtomicLong> counts = new EnumMap<>(Kind.class);

  public Mishaps() {
    for (Kind kind : Kind.values()) {
      counts.put(kind, new AtomicLong());
    }
  }

  public void count(Kind kind) {
    of(kind).incrementAndGet();
  }

  public long number(Kind kind) {
    return of(kind).get();
  }

  private AtomicLong of(Kind kind) {
    AtomicLong count = counts.get(kind);
    if (count == null) {
      throw new IllegalStateException("no count of " + kind);
    }
    return count;
  }
}
