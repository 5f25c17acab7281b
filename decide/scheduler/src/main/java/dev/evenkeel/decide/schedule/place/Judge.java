package dev.evenkeel.decide.schedule.place;

/** Judges nodes, which a pod's shape lets pass, by the pods around. */
final class Judge {

  private final Neighbors neighbors;
  private final boolean asksNeighbors;
  private final SpreadState.Part[] parts;

  /** By part: more pods than this in a domain are too many. */
  private final int[] limits;

  Judge(Attempt attempt) {
    neighbors = attempt.neighbors();
    asksNeighbors = neighbors.judges();
    parts = attempt.required() == null ? new SpreadState.Part[0] : attempt.required().parts;
    limits = new int[parts.length];
    for (int i = 0; i < parts.length; i++) {
      int self = parts[i].constraint.selector().matches(attempt.pod().labels()) ? 1 : 0;
      limits[i] = parts[i].constraint.maxSkew() + parts[i].least() - self;
    }
  }

  int verdict(int slot) {
    for (int i = 0; i < parts.length; i++) {
      int count = parts[i].count(slot);
      if (count < 0) {
        return Reasons.SPREAD_LABEL;
      }
      if (count > limits[i]) {
        return Reasons.SPREAD_SKEW;
      }
    }
    return asksNeighbors ? neighbors.verdict(slot) : Reasons.FITS;
  }
}
