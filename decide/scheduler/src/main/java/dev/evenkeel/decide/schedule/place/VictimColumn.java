package dev.evenkeel.decide.schedule.place;

import java.util.Arrays;

/**
 * For each node what removing pods from it would cost, for pods of one shape and priority to whom
 * only the node itself matters. Kept for the next such pod.
 *
 * <p><b>Invariants</b>: after {@link #refresh}, all is as it would be if computed anew.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
final class VictimColumn {

  private static final int NOT_ASKED = -1;

  private int[] outcomes = new int[0];
  private int[] violations = new int[0];
  private int[] highest = new int[0];
  private long[] sums = new long[0];
  private int[] counts = new int[0];
  private long[] starts = new long[0];
  private long seen = -1;
  private long budgetsSeen = -1;

  void refresh(Attempt attempt) {
    Cluster cluster = attempt.cluster();
    resize(cluster.slotsUsed());
    if (budgetsSeen != cluster.budgetsVersion() || !cluster.log.reachesBackTo(seen)) {
      Arrays.fill(outcomes, NOT_ASKED);
    } else {
      for (long position = seen; position < cluster.log.next(); position++) {
        outcomes[cluster.log.at(position)] = NOT_ASKED;
      }
    }
    budgetsSeen = cluster.budgetsVersion();
    seen = cluster.log.next();
  }

  private void resize(int slots) {
    int before = outcomes.length;
    if (slots > before) {
      int size = Math.max(slots, before + before / 2);
      outcomes = Arrays.copyOf(outcomes, size);
      Arrays.fill(outcomes, before, size, NOT_ASKED);
      violations = Arrays.copyOf(violations, size);
      highest = Arrays.copyOf(highest, size);
      sums = Arrays.copyOf(sums, size);
      counts = Arrays.copyOf(counts, size);
      starts = Arrays.copyOf(starts, size);
    }
  }

  boolean isKnown(int slot) {
    return outcomes[slot] != NOT_ASKED;
  }

  void forget(int slot) {
    outcomes[slot] = NOT_ASKED;
  }

  void set(int slot, Victims victims) {
    outcomes[slot] = victims.failure();
    violations[slot] = victims.violations();
    highest[slot] = victims.highestPriority();
    sums[slot] = victims.prioritySum();
    counts[slot] = victims.pods().size();
    starts[slot] = victims.firstStartMillis();
  }

  /** {@link Reasons#FITS} if pods can be removed; otherwise why that does not help. */
  int outcome(int slot) {
    return outcomes[slot];
  }

  /** Whether removing pods there harms less, in the order in which harm counts. */
  boolean isBetter(int slot, int than) {
    int order = Integer.compare(violations[slot], violations[than]);
    if (order == 0) {
      order = Integer.compare(highest[slot], highest[than]);
    }
    if (order == 0) {
      order = Long.compare(sums[slot], sums[than]);
    }
    if (order == 0) {
      order = Integer.compare(counts[slot], counts[than]);
    }
    if (order == 0) {
      order = Long.compare(starts[than], starts[slot]);
    }
    return order < 0;
  }
}
