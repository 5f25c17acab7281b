package dev.evenkeel.decide.controllers.workload;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings a deployment's new size to its ReplicaSets without rolling on: all of it to the only one,
 * or to each its share, so that a rollout under way keeps the risk that it had.
 */
final class Scaling {

  private Scaling() {}

  /** Whether the deployment has another size than its sets know of. */
  static boolean isNeeded(Rollout rollout) {
    List<OwnedSet> active = rollout.active();
    // Without surge there are no shares: the rollout itself gives all sets their sizes.
    return (rollout.wanted().isRolling() || active.size() == 1)
        && active.stream()
            .anyMatch(
                set -> {
                  long known = set.number(OwnedSet.DESIRED_REPLICAS);
                  return known >= 0 && known != rollout.wanted().replicas();
                });
  }

  static void scale(Rollout rollout) {
    int wanted = rollout.wanted().replicas();
    List<OwnedSet> active = rollout.active();
    if (active.size() <= 1) {
      OwnedSet only = active.isEmpty() ? latest(rollout) : active.getFirst();
      if (only != null && (wanted <= only.replicas() || rollout.grown(only, wanted) == wanted)) {
        rollout.resize(only, wanted, "the deployment wants " + wanted + " pods");
        rollout.note(only);
      }
      return;
    }
    OwnedSet current = rollout.current();
    if (current != null && isSaturated(current, wanted)) {
      for (OwnedSet set : rollout.old()) {
        rollout.resize(set, 0, "all " + wanted + " wanted pods are new and available");
      }
    } else if (rollout.wanted().isRolling()) {
      inProportion(rollout, active);
    }
  }

  private static @Nullable OwnedSet latest(Rollout rollout) {
    OwnedSet current = rollout.current();
    if (current != null) {
      return current;
    }
    return rollout.old().isEmpty() ? null : rollout.old().getLast();
  }

  private static boolean isSaturated(OwnedSet current, int wanted) {
    return current.replicas() == wanted
        && current.number(OwnedSet.DESIRED_REPLICAS) == wanted
        && current.counted("availableReplicas") == wanted;
  }

  private static void inProportion(Rollout rollout, List<OwnedSet> active) {
    int wanted = rollout.wanted().replicas();
    long missing = (wanted == 0 ? 0L : rollout.wanted().replicasMax()) - rollout.replicas();
    if (missing > 0 && !isQuiet(rollout)) {
      return;
    }
    List<OwnedSet> largestFirst = active.stream().sorted(order(missing > 0)).toList();
    int[] sizes = sizes(rollout.wanted(), largestFirst, missing);
    for (int i = 0; i < sizes.length; i++) {
      OwnedSet set = largestFirst.get(i);
      rollout.resize(set, sizes[i], "it is its share of the " + wanted + " pods that are wanted");
      rollout.note(set);
    }
  }

  /** Whether no set has, or may have, pods beyond its size. */
  private static boolean isQuiet(Rollout rollout) {
    return rollout.all().stream()
        .allMatch(set -> set.podsAtMost() >= 0 && set.podsAtMost() <= set.replicas());
  }

  /** What is added goes to new sets first, what is taken is taken from old ones first. */
  private static Comparator<OwnedSet> order(boolean newestFirst) {
    return Comparator.comparingInt(OwnedSet::replicas)
        .reversed()
        .thenComparing(newestFirst ? OwnedSet.OLDEST_FIRST.reversed() : OwnedSet.OLDEST_FIRST);
  }

  /**
   * Sizes in the same order; the first, largest one takes what rounding leaves.
   *
   * @param missing how many pods are to be added; negative if they are too many
   */
  static int[] sizes(DeploymentSpec wanted, List<OwnedSet> sets, long missing) {
    int[] sizes = new int[sets.size()];
    long left = missing;
    for (int i = 0; i < sizes.length; i++) {
      long share = left == 0 ? 0 : share(wanted, sets.get(i));
      // A set that somebody resized by hand grew by more than the deployment: where there are too
      // many already, its share is none and not more.
      share = missing > 0 ? Math.clamp(share, 0, left) : Math.clamp(share, left, 0);
      sizes[i] = (int) (sets.get(i).replicas() + share);
      left -= share;
    }
    sizes[0] = (int) Math.max(0, sizes[0] + left);
    return sizes;
  }

  /** By how much a set would grow if it grew as the deployment did. */
  private static long share(DeploymentSpec wanted, OwnedSet set) {
    if (wanted.replicas() == 0) {
      return -set.replicas();
    }
    long before = set.number(OwnedSet.MAX_REPLICAS);
    if (before <= 0) {
      before = wanted.status().path("replicas").asLong(0);
    }
    if (before <= 0) {
      return 0;
    }
    double size = (double) set.replicas() * wanted.replicasMax() / before;
    return Math.round(size) - set.replicas();
  }
}
