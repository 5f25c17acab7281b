package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.Slot;
import dev.evenkeel.decide.schedule.judge.Reasons;
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

  /** In place of a slot. */
  static final int NOBODY = -1;

  private static final int NOT_ASKED = -1;

  /** Slots with the same higher bits are a block. */
  private static final int BLOCK_BITS = 6;

  private int[] outcomes = new int[0];
  private int[] violations = new int[0];
  private int[] highest = new int[0];
  private long[] sums = new long[0];
  private int[] counts = new int[0];
  private long[] starts = new long[0];

  /** By block, the slot that harms least; to be found anew if it is stale. */
  private int[] blockBest = new int[0];

  private boolean[] blockStale = new boolean[0];
  private long seen = -1;
  private long budgetsSeen = -1;

  void refresh(PlacementContext attempt) {
    Cluster cluster = attempt.cluster();
    resize(cluster.slotsUsed());
    if (budgetsSeen != cluster.budgetsVersion() || !cluster.columns().log().reachesBackTo(seen)) {
      Arrays.fill(outcomes, NOT_ASKED);
      Arrays.fill(blockStale, true);
    } else {
      for (long position = seen; position < cluster.columns().log().next(); position++) {
        forget(cluster.columns().log().at(position));
      }
    }
    budgetsSeen = cluster.budgetsVersion();
    seen = cluster.columns().log().next();
  }

  private void resize(int slots) {
    int before = outcomes.length;
    if (slots > before) {
      int size = Math.max(slots, before + before / 2);
      outcomes = Arrays.copyOf(outcomes, size);
      Arrays.fill(outcomes, before, size, NOT_ASKED);
      blockBest = Arrays.copyOf(blockBest, (size >> BLOCK_BITS) + 1);
      blockStale = Arrays.copyOf(blockStale, blockBest.length);
      Arrays.fill(blockStale, true);
      violations = Arrays.copyOf(violations, size);
      highest = Arrays.copyOf(highest, size);
      sums = Arrays.copyOf(sums, size);
      counts = Arrays.copyOf(counts, size);
      starts = Arrays.copyOf(starts, size);
    }
  }

  void forget(int slot) {
    outcomes[slot] = NOT_ASKED;
    blockStale[slot >> BLOCK_BITS] = true;
  }

  /** The slot where removing pods harms least; {@link #NOBODY} if it helps nowhere. */
  int best(PlacementContext attempt, Scan scan) {
    int slots = attempt.cluster().slotsUsed();
    int blocks = (slots + (1 << BLOCK_BITS) - 1) >> BLOCK_BITS;
    int first = Scan.start(attempt) >> BLOCK_BITS;
    int best = NOBODY;
    for (int i = 0; i < blocks; i++) {
      int block = first + i < blocks ? first + i : first + i - blocks;
      if (blockStale[block]) {
        blockBest[block] = bestOf(block, attempt, scan);
        blockStale[block] = false;
      }
      int slot = blockBest[block];
      if (slot != NOBODY && (best == NOBODY || isBetter(slot, best))) {
        best = slot;
      }
    }
    return best;
  }

  private int bestOf(int block, PlacementContext attempt, Scan scan) {
    Cluster cluster = attempt.cluster();
    DryRunNode trial = new DryRunNode(attempt);
    int best = NOBODY;
    int end = Math.min((block + 1) << BLOCK_BITS, cluster.slotsUsed());
    for (int number = block << BLOCK_BITS; number < end; number++) {
      int verdict = scan.verdict(attempt, number);
      Slot slot = cluster.slotAt(number);
      if (slot == null || verdict == Reasons.ABSENT || attempt.reasons().at(verdict).isFinal()) {
        continue;
      }
      if (outcomes[number] == NOT_ASKED) {
        set(number, Victims.select(trial, slot, attempt.pod(), cluster.budgets()));
      }
      if (outcomes[number] == Reasons.FITS && (best == NOBODY || isBetter(number, best))) {
        best = number;
      }
    }
    return best;
  }

  private void set(int slot, Victims victims) {
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
  private boolean isBetter(int slot, int than) {
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
