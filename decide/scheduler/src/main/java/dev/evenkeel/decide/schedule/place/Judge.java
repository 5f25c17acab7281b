package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.Slot;
import dev.evenkeel.decide.schedule.column.Topology;
import dev.evenkeel.decide.schedule.judge.Neighbors;
import dev.evenkeel.decide.schedule.judge.Reasons;
import dev.evenkeel.decide.schedule.judge.SpreadState;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Judges nodes, which a pod's shape lets pass, by the pods around and those that are to come. */
final class Judge {

  private final PlacementContext attempt;
  private final BitSet nominated;
  private final @Nullable DryRunNode trial;

  private final Neighbors neighbors;
  private final boolean asksNeighbors;
  private final boolean asksPlugins;
  private final int[][] domains;
  private final int[][] counts;

  /** By part: more pods than this in a domain are too many. */
  private final int[] limits;

  Judge(PlacementContext attempt) {
    this.attempt = attempt;
    nominated = attempt.cluster().nominatedSlots();
    trial = nominated.isEmpty() ? null : new DryRunNode(attempt);
    neighbors = attempt.neighbors();
    asksNeighbors = neighbors.judges();
    asksPlugins = !attempt.extensions().filters().isEmpty();
    SpreadState.Part[] parts =
        attempt.required() == null ? new SpreadState.Part[0] : attempt.required().parts();
    limits = new int[parts.length];
    domains = new int[parts.length][];
    counts = new int[parts.length][];
    for (int i = 0; i < parts.length; i++) {
      int self = parts[i].constraint().selector().matches(attempt.pod().labels()) ? 1 : 0;
      domains[i] = parts[i].topology().domains();
      counts[i] = parts[i].counts();
      limits[i] = parts[i].constraint().maxSkew() + parts[i].least() - self;
    }
  }

  int verdict(int slot) {
    for (int i = 0; i < limits.length; i++) {
      int domain = domains[i][slot];
      if (domain == Topology.NOWHERE) {
        return Reasons.SPREAD_LABEL;
      }
      if (counts[i][domain] > limits[i]) {
        return Reasons.SPREAD_SKEW;
      }
    }
    int verdict = asksNeighbors ? neighbors.verdict(slot) : Reasons.FITS;
    if (verdict == Reasons.FITS) {
      verdict = attempt.shares().verdict(slot);
    }
    if (verdict == Reasons.FITS && asksPlugins) {
      verdict = attempt.extensions().verdict(attempt.pod(), attempt.view(slot), attempt.reasons());
    }
    return verdict == Reasons.FITS && trial != null && nominated.get(slot)
        ? withNominated(slot, trial)
        : verdict;
  }

  /** The pod must fit beside those to whom the room was promised, if they are worth as much. */
  private int withNominated(int number, DryRunNode trial) {
    Slot slot = attempt.cluster().slotAt(number);
    if (slot == null) {
      return Reasons.ABSENT;
    }
    trial.start(slot);
    return trial.verdictBesideNominated();
  }
}
