package dev.evenkeel.explain.log;

import dev.evenkeel.explain.record.Decision;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The newest decisions of all controllers.
 *
 * <p>What changed nothing is by far the most of what is decided, and the least of what is asked
 * for: such decisions have a share of their own, so that they cannot push out the others.
 *
 * <p><b>Invariants:</b> at most {@code actedMax} decisions that did something or failed, and at
 * most {@code settledMax} others; each in the order they were written.
 *
 * <p><b>Threading:</b> any.
 */
public final class DecisionLog {

  private final int actedMax;
  private final int settledMax;
  private final Object lock = new Object();
  private final Deque<Decision> acted = new ArrayDeque<>();
  private final Deque<Decision> settled = new ArrayDeque<>();
  private long written;

  public DecisionLog(int actedMax, int settledMax) {
    this.actedMax = actedMax;
    this.settledMax = settledMax;
  }

  /** What a server keeps: some tens of megabytes at most. */
  public static DecisionLog ofServer() {
    return new DecisionLog(20_000, 5_000);
  }

  /** A number for the next decision, in the form it is shown. */
  public String nextId() {
    synchronized (lock) {
      written++;
      return Long.toHexString(written);
    }
  }

  public void write(Decision decision) {
    boolean quiet = decision.outcome().kind() == Decision.Outcome.Kind.SETTLED;
    synchronized (lock) {
      Deque<Decision> kept = quiet ? settled : acted;
      kept.addLast(decision);
      if (kept.size() > (quiet ? settledMax : actedMax)) {
        kept.removeFirst();
      }
    }
  }

  /** The newest that fit, newest first. */
  public List<Decision> newest(Predicate<Decision> wanted, int max) {
    List<Decision> all;
    synchronized (lock) {
      all = new ArrayList<>(acted.size() + settled.size());
      Iterator<Decision> one = acted.descendingIterator();
      Iterator<Decision> other = settled.descendingIterator();
      Decision a = one.hasNext() ? one.next() : null;
      Decision b = other.hasNext() ? other.next() : null;
      while (a != null || b != null) {
        boolean takesA = b == null || (a != null && !isLater(b, a));
        Decision taken = takesA ? a : b;
        all.add(taken);
        if (takesA) {
          a = one.hasNext() ? one.next() : null;
        } else {
          b = other.hasNext() ? other.next() : null;
        }
      }
    }
    return all.stream().filter(wanted).limit(max).toList();
  }

  /** Ids are counted up. */
  private static boolean isLater(Decision one, Decision other) {
    return Long.parseLong(one.id(), 16) > Long.parseLong(other.id(), 16);
  }
}
