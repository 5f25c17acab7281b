package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.Topology;
import dev.evenkeel.decide.schedule.judge.PluginNames;
import dev.evenkeel.decide.schedule.judge.Reasons;
import dev.evenkeel.decide.schedule.judge.ShapeState;
import dev.evenkeel.decide.schedule.judge.SpreadState;
import java.util.Arrays;

/**
 * One pass over all nodes for one pod, in arrays that are used again and again: which nodes are
 * left, and which of them are best.
 *
 * <p><b>Invariants</b>: every node is judged, none is left out for speed. Of equal nodes the first
 * behind a start that depends on the pod alone is better, so that load spreads and a pod that is
 * tried again is placed the same.
 *
 * <p><b>Threading</b>: of the placer's thread.
 */
final class Scan {

  /** The best, and those that are named beside it. */
  static final int BEST_MAX = 1 + Placement.ALTERNATIVES_MAX;

  static final int SAMPLES_MAX = 3;

  private static final int BEST_SCORE = 100;

  private int[] left = new int[0];

  /** By slot, of nodes that the shape lets pass. */
  private int[] judged = new int[0];

  private long[] neighborRaw = new long[0];
  private long[] spreadRaw = new long[0];
  private double[] spreadSums = new double[0];
  private int[] stamps = new int[0];
  private int stamp;
  private int leftCount;

  /** By verdict, of nodes that the shape lets pass. */
  private int[] rejected = new int[32];

  private int[] samples = new int[32 * SAMPLES_MAX];

  private final int[] bestSlots = new int[BEST_MAX];
  private final long[] bestScores = new long[BEST_MAX];
  private int bestCount;

  private int unpreferredWeight;
  private int preferredWeight;
  private int spreadWeight;
  private int neighborWeight;
  private long unpreferredMost;
  private long preferredMost;
  private long neighborLeast;
  private long neighborMost;
  private long spreadLeast;
  private long spreadMost;
  private long spreadIgnored;

  void run(PlacementContext attempt) {
    bestCount = 0;
    leftCount = 0;
    Arrays.fill(rejected, 0);
    prepareWeights(attempt);
    int start = start(attempt);
    if (attempt.isPlain()) {
      chooseByShape(attempt, start);
      return;
    }
    filter(attempt);
    if (leftCount > 0) {
      weigh(attempt);
      choose(attempt, start);
    }
  }

  /** What has nothing to say weighs nothing. */
  private void prepareWeights(PlacementContext attempt) {
    Profile profile = attempt.profile();
    unpreferredWeight = profile.weight(PluginNames.TAINT_TOLERATION);
    preferredWeight =
        attempt.pod().shape().preferred().isEmpty() ? 0 : profile.weight(PluginNames.NODE_AFFINITY);
    spreadWeight =
        attempt.preferred() == null ? 0 : profile.weight(PluginNames.POD_TOPOLOGY_SPREAD);
    neighborWeight =
        attempt.neighbors().scores() ? profile.weight(PluginNames.INTER_POD_AFFINITY) : 0;
    unpreferredMost = 0;
    preferredMost = 0;
  }

  /** Where the search for the best begins. */
  static int start(PlacementContext attempt) {
    int slots = attempt.cluster().slotsUsed();
    int hash = attempt.pod().uid().hashCode() * 0x9E3779B9;
    return slots == 0 ? 0 : Integer.remainderUnsigned(hash ^ (hash >>> 15), slots);
  }

  private void chooseByShape(PlacementContext attempt, int start) {
    leftCount = attempt.shape().count(Reasons.FITS);
    if (leftCount == 0) {
      return;
    }
    int end = attempt.cluster().slotsUsed();
    chooseByShape(attempt.shape(), start, end);
    chooseByShape(attempt.shape(), 0, start);
  }

  /** Passes over blocks of nodes in which none is better than what there is. */
  private void chooseByShape(ShapeState shape, int from, int to) {
    int[] verdicts = shape.verdicts();
    int[] base = shape.base();
    int slot = from;
    while (slot < to) {
      int block = slot >> ShapeState.BLOCK_BITS;
      int end = Math.min(to, (block + 1) << ShapeState.BLOCK_BITS);
      int best = shape.blockBest(block);
      if (best >= 0 && (bestCount < BEST_MAX || best > bestScores[BEST_MAX - 1])) {
        for (; slot < end; slot++) {
          if (verdicts[slot] == Reasons.FITS) {
            offer(slot, base[slot]);
          }
        }
      }
      slot = end;
    }
  }

  private void offer(int slot, long score) {
    if (bestCount == BEST_MAX && score <= bestScores[BEST_MAX - 1]) {
      return;
    }
    int at = bestCount < BEST_MAX ? bestCount++ : BEST_MAX - 1;
    while (at > 0 && bestScores[at - 1] < score) {
      bestScores[at] = bestScores[at - 1];
      bestSlots[at] = bestSlots[at - 1];
      at--;
    }
    bestScores[at] = score;
    bestSlots[at] = slot;
  }

  private void filter(PlacementContext attempt) {
    int end = attempt.cluster().slotsUsed();
    if (left.length < end) {
      left = new int[end + end / 2];
      judged = new int[left.length];
      neighborRaw = new long[left.length];
      spreadRaw = new long[left.length];
    }
    int[] verdicts = attempt.shape().verdicts();
    Judge judge = new Judge(attempt);
    for (int slot = 0; slot < end; slot++) {
      if (verdicts[slot] == Reasons.FITS) {
        int verdict = judge.verdict(slot);
        judged[slot] = verdict;
        if (verdict == Reasons.FITS) {
          left[leftCount++] = slot;
        } else {
          reject(slot, verdict);
        }
      }
    }
  }

  private void reject(int slot, int verdict) {
    if (verdict >= rejected.length) {
      rejected = Arrays.copyOf(rejected, verdict * 2);
      samples = Arrays.copyOf(samples, rejected.length * SAMPLES_MAX);
    }
    if (rejected[verdict] < SAMPLES_MAX) {
      samples[verdict * SAMPLES_MAX + rejected[verdict]] = slot;
    }
    rejected[verdict]++;
  }

  private void weigh(PlacementContext attempt) {
    ShapeState shape = attempt.shape();
    neighborLeast = Long.MAX_VALUE;
    neighborMost = Long.MIN_VALUE;
    if (shape.hasUnpreferred() || preferredWeight != 0) {
      for (int i = 0; i < leftCount; i++) {
        unpreferredMost = Math.max(unpreferredMost, shape.unpreferred(left[i]));
        preferredMost = Math.max(preferredMost, shape.preferred(left[i]));
      }
    }
    if (neighborWeight != 0) {
      for (int i = 0; i < leftCount; i++) {
        long raw = attempt.neighbors().score(left[i]);
        neighborRaw[left[i]] = raw;
        neighborLeast = Math.min(neighborLeast, raw);
        neighborMost = Math.max(neighborMost, raw);
      }
      // All are the same: nothing to say.
      neighborWeight = neighborMost == neighborLeast ? 0 : neighborWeight;
    }
    if (attempt.preferred() != null) {
      weighSpread(attempt.preferred());
    }
  }

  private void weighSpread(SpreadState spread) {
    SpreadState.Part[] parts = spread.parts();
    boolean needsAll = spread.key().needsAllLabels();
    spreadIgnored = 0;
    for (int i = 0; needsAll && i < leftCount; i++) {
      spreadIgnored += spread.hasAllLabels(left[i]) ? 0 : 1;
    }
    double[] weights = new double[parts.length];
    for (int i = 0; i < parts.length; i++) {
      weights[i] = Math.log(domains(spread, parts[i], needsAll) + 2);
    }
    spreadLeast = Long.MAX_VALUE;
    spreadMost = 0;
    double[] sums = sums(parts, weights);
    for (int i = 0; i < leftCount; i++) {
      int slot = left[i];
      if (needsAll && spreadIgnored > 0 && !spread.hasAllLabels(slot)) {
        spreadRaw[slot] = -1;
        continue;
      }
      long raw = Math.round(sums[i]);
      spreadRaw[slot] = raw;
      spreadLeast = Math.min(spreadLeast, raw);
      spreadMost = Math.max(spreadMost, raw);
    }
  }

  /** By place among those that are left, constraint after constraint. */
  private double[] sums(SpreadState.Part[] parts, double[] weights) {
    if (spreadSums.length < leftCount) {
      spreadSums = new double[left.length];
    }
    Arrays.fill(spreadSums, 0, leftCount, 0);
    for (int j = 0; j < parts.length; j++) {
      int[] domains = parts[j].topology().domains();
      boolean byHost = parts[j].constraint().isByHost();
      int[] counts = byHost ? parts[j].countsBySlot() : parts[j].counts();
      double weight = weights[j];
      double skew = parts[j].constraint().maxSkew() - 1;
      for (int i = 0; i < leftCount; i++) {
        int domain = domains[left[i]];
        if (domain != Topology.NOWHERE) {
          spreadSums[i] += counts[byHost ? left[i] : domain] * weight + skew;
        }
      }
    }
    return spreadSums;
  }

  /** How many domains the nodes that are left are in. */
  private double domains(SpreadState spread, SpreadState.Part part, boolean needsAll) {
    if (part.constraint().isByHost()) {
      return leftCount - spreadIgnored;
    }
    Topology topology = part.topology();
    if (stamps.length < topology.numbers()) {
      stamps = new int[topology.numbers() * 2];
      stamp = 0;
    }
    stamp++;
    int count = 0;
    boolean anyNowhere = false;
    for (int i = 0; i < leftCount; i++) {
      int domain = topology.domain(left[i]);
      if (domain == Topology.NOWHERE) {
        anyNowhere = true;
      } else if (stamps[domain] != stamp
          && (!needsAll || spreadIgnored == 0 || spread.hasAllLabels(left[i]))) {
        stamps[domain] = stamp;
        count++;
      }
    }
    // Without the label is a domain of its own, where that is allowed.
    return count + (anyNowhere && !needsAll ? 1 : 0);
  }

  private void choose(PlacementContext attempt, int start) {
    int[] base = attempt.shape().base();
    int first = Arrays.binarySearch(left, 0, leftCount, start);
    first = first < 0 ? -first - 1 : first;
    for (int i = 0; i < leftCount; i++) {
      int at = first + i;
      int slot = left[at < leftCount ? at : at - leftCount];
      offer(
          slot,
          base[slot]
              + unpreferredPoints(attempt, slot)
              + preferredPoints(attempt, slot)
              + spreadPoints(slot)
              + neighborPoints(slot)
              + pluginPoints(attempt, slot));
    }
  }

  long unpreferredPoints(PlacementContext attempt, int slot) {
    if (unpreferredMost == 0) {
      return unpreferredWeight * (long) BEST_SCORE;
    }
    long worse = (long) BEST_SCORE * attempt.shape().unpreferred(slot) / unpreferredMost;
    return unpreferredWeight * (BEST_SCORE - worse);
  }

  long preferredPoints(PlacementContext attempt, int slot) {
    return preferredWeight == 0 || preferredMost == 0
        ? 0
        : preferredWeight * (BEST_SCORE * (long) attempt.shape().preferred(slot) / preferredMost);
  }

  long spreadPoints(int slot) {
    if (spreadWeight == 0 || spreadRaw[slot] < 0) {
      return 0;
    }
    return spreadMost == 0
        ? spreadWeight * (long) BEST_SCORE
        : spreadWeight * (BEST_SCORE * (spreadMost + spreadLeast - spreadRaw[slot]) / spreadMost);
  }

  long neighborPoints(int slot) {
    if (neighborWeight == 0) {
      return 0;
    }
    double share =
        (double) (neighborRaw[slot] - neighborLeast) / (double) (neighborMost - neighborLeast);
    return neighborWeight * (long) (BEST_SCORE * share);
  }

  private static int pluginPoints(PlacementContext attempt, int slot) {
    Extensions extensions = attempt.extensions();
    return extensions.scores().isEmpty()
        ? 0
        : extensions.points(attempt.pod(), attempt.view(slot), attempt.profile());
  }

  /** Why the slot's node was rejected. */
  int verdict(PlacementContext attempt, int slot) {
    int verdict = attempt.shape().verdicts()[slot];
    if (verdict == Reasons.FITS && !attempt.isPlain()) {
      verdict = judged[slot];
    }
    if (attempt.shares().isEmpty() || verdict == Reasons.ABSENT) {
      return verdict;
    }
    // Whoever is removed from the node, the pod may not go there.
    int held = attempt.shares().verdict(slot);
    return held == Reasons.FITS ? verdict : held;
  }

  /** How many nodes the pod could be placed on. */
  int left() {
    return leftCount;
  }

  int best() {
    return bestCount;
  }

  int bestSlot(int place) {
    return bestSlots[place];
  }

  /** How many nodes that the shape lets pass were rejected so. */
  int rejected(int verdict) {
    return verdict < rejected.length ? rejected[verdict] : 0;
  }

  int sample(int verdict, int place) {
    return samples[verdict * SAMPLES_MAX + place];
  }
}
