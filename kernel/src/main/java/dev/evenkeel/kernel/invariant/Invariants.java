package dev.evenkeel.kernel.invariant;

import dev.evenkeel.kernel.metric.Meters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Checks what must always hold. Who violates it goes on: a server that stopped would help nobody,
 * and one that said nothing would be trusted for too long.
 *
 * <p>A check is a comparison and nothing else as long as it holds, so it can stand on a hot path;
 * the evidence is put into words only when it is needed.
 *
 * <p><b>Invariants:</b> every violation is counted. Of one name the first, the second, the fourth,
 * the eighth and so on are logged, so a fault that repeats itself does not fill the log.
 *
 * <p><b>Threading:</b> any. One count for the process: tests of several servers in one must not
 * miss the violation of any.
 */
public final class Invariants {

  private static final System.Logger LOG = System.getLogger(Invariants.class.getName());

  /** So many of the newest are remembered, with their evidence. */
  private static final int REMEMBERED_MAX = 32;

  private static final Object LOCK = new Object();
  private static final Map<String, Long> COUNTS = new TreeMap<>();
  private static final Deque<Violation> NEWEST = new ArrayDeque<>();
  private static long total;

  private Invariants() {}

  /**
   * What was violated.
   *
   * @param number counts the violations of this process, from 1
   * @param evidence what was there in place of what must be
   */
  public record Violation(long number, String name, String evidence) {
    @Override
    public String toString() {
      return name + ": " + evidence;
    }
  }

  /**
   * Checks an invariant.
   *
   * @param name few and known beforehand, as {@code queue_one_worker}: it is a label of a metric
   * @param evidence says what was there in place of what must be
   * @return whether it holds
   */
  public static boolean hold(boolean condition, String name, Supplier<String> evidence) {
    if (!condition) {
      violated(name, evidence);
    }
    return condition;
  }

  private static void violated(String name, Supplier<String> evidence) {
    String text = text(evidence);
    long count;
    synchronized (LOCK) {
      count = COUNTS.merge(name, 1L, Long::sum);
      total++;
      NEWEST.addLast(new Violation(total, name, text));
      if (NEWEST.size() > REMEMBERED_MAX) {
        NEWEST.removeFirst();
      }
    }
    if (Long.bitCount(count) == 1) {
      // The trace says who did it.
      LOG.log(
          System.Logger.Level.ERROR,
          "invariant " + name + " was violated, for the " + count + ". time: " + text,
          new IllegalStateException(name));
    }
  }

  private static String text(Supplier<String> evidence) {
    try {
      return evidence.get();
    } catch (RuntimeException e) {
      return "the evidence could not be put into words: " + e;
    }
  }

  /** How many violations there were. */
  public static long total() {
    synchronized (LOCK) {
      return total;
    }
  }

  /** The newest violations, oldest first. */
  public static List<Violation> newest() {
    synchronized (LOCK) {
      return new ArrayList<>(NEWEST);
    }
  }

  /** Has them shown with what a server measures. */
  public static void register(Meters meters) {
    meters.counted(
        "evenkeel_invariant_violations_total",
        "What must always hold and did not, in this process: a fault, please report it",
        List.of("invariant"),
        values -> counts().forEach((name, count) -> values.is((double) count, name)));
  }

  private static Map<String, Long> counts() {
    synchronized (LOCK) {
      return new TreeMap<>(COUNTS);
    }
  }
}
