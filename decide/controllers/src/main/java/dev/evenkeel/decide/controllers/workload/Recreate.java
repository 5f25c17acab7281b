package dev.evenkeel.decide.controllers.workload;

/** Ends all old pods, and makes new ones when the last of them is gone. */
final class Recreate {

  private Recreate() {}

  /** Goes one step; says whether it is not to be left at that. */
  static boolean advance(Rollout rollout) {
    boolean shrunk = false;
    for (OwnedSet set : rollout.old()) {
      shrunk |= rollout.resize(set, 0, "it is outdated, and its pods end before new ones begin");
    }
    if (shrunk) {
      return true;
    }
    OwnedSet current = rollout.current();
    if (rollout.othersHavePods(current)) {
      return true;
    }
    current = rollout.begin();
    if (current == null) {
      return true;
    }
    int wanted = rollout.wanted().replicas();
    return rollout.resize(current, wanted, "no old pod is left, and " + wanted + " are wanted");
  }
}
