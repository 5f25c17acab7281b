package dev.evenkeel.decide.controllers.workload;

import java.util.List;

/**
 * Replaces pods while others serve: the new set grows as far as there is room, and the old ones
 * shrink as far as enough pods stay available.
 */
final class RollingUpdate {

  private RollingUpdate() {}

  /** Goes one step; says whether there was one to go. */
  static boolean advance(Rollout rollout) {
    OwnedSet current = rollout.begin();
    return current != null && (growNew(rollout, current) || shrinkOld(rollout, current));
  }

  private static boolean growNew(Rollout rollout, OwnedSet current) {
    int wanted = rollout.wanted().replicas();
    if (current.replicas() > wanted) {
      return rollout.resize(current, wanted, "the deployment wants " + wanted + " pods");
    }
    int size = rollout.grown(current, wanted);
    return rollout.resize(
        current,
        size,
        "it has the deployment's template, and there is room for %d of %d pods"
            .formatted(size, wanted));
  }

  private static boolean shrinkOld(Rollout rollout, OwnedSet current) {
    List<OwnedSet> old = rollout.old().stream().filter(OwnedSet::isActive).toList();
    int needed = rollout.wanted().availableMin();
    int awaited = current.replicas() - current.availableAtLeast();
    int most = rollout.replicas() - needed - awaited;
    if (old.isEmpty() || most <= 0) {
      return false;
    }
    boolean unhealthy = dropUnhealthy(rollout, old, most);
    return dropSpare(rollout, old, needed) || unhealthy;
  }

  /** Pods that are of no use go first: to lose them costs nothing. */
  private static boolean dropUnhealthy(Rollout rollout, List<OwnedSet> old, int most) {
    int left = most;
    for (OwnedSet set : old) {
      if (set.isObserved()) {
        int useless = Math.min(left, set.replicas() - set.availableAtLeast());
        rollout.resize(
            set,
            set.replicas() - useless,
            "it is outdated, and " + useless + " of its pods are not available");
        left -= useless;
      }
    }
    return left < most;
  }

  private static boolean dropSpare(Rollout rollout, List<OwnedSet> old, int needed) {
    int available = rollout.all().stream().mapToInt(OwnedSet::availableAtLeast).sum();
    int left = Math.max(0, available - needed);
    int spare = left;
    for (OwnedSet set : old) {
      int dropped = Math.min(left, set.replicas());
      rollout.resize(
          set,
          set.replicas() - dropped,
          "it is outdated, and of %d available pods %d are needed".formatted(available, needed));
      left -= dropped;
    }
    return left < spare;
  }
}
