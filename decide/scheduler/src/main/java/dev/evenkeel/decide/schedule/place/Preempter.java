package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.PodInfo.PreemptionPolicy;
import dev.evenkeel.decide.schedule.model.Shape;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the node from which removing pods harms least, for a pod that found no room.
 *
 * <p><b>Threading</b>: of the placer's thread.
 */
final class Preempter {

  /** Shapes with a priority for which costs are kept. */
  static final int COLUMNS_MAX = 16;

  static final String NOT_HELPFUL = "Preemption is not helpful for scheduling";

  private static final int NOBODY = -1;

  private record Kind(Shape shape, int priority) {}

  private final Map<Kind, VictimColumn> columns = new LinkedHashMap<>(16, 0.75f, true);
  private @Nullable Reasons numbering;

  /**
   * What came of it.
   *
   * @param message why nothing did; empty otherwise
   */
  record Outcome(@Nullable Preemption preemption, String message) {}

  Outcome find(Attempt attempt, Scan scan) {
    String notAllowed = notAllowed(attempt, scan);
    if (!notAllowed.isEmpty()) {
      return new Outcome(null, notAllowed);
    }
    Cluster cluster = attempt.cluster();
    Map<String, Integer> counts = new TreeMap<>();
    int best = NOBODY;
    VictimColumn column = column(attempt);
    if (cluster.hasPodsBelow(attempt.pod().priority())) {
      best = best(attempt, scan, column, counts);
    } else {
      count(attempt, scan, counts);
    }
    Slot slot = best == NOBODY ? null : cluster.slotAt(best);
    if (slot == null) {
      return new Outcome(null, Report.message(cluster.nodes(), counts));
    }
    Victims victims = Victims.select(new Trial(attempt), slot, attempt.pod(), cluster.budgets());
    return new Outcome(new Preemption(slot.name, victims.pods(), victims.violations()), "");
  }

  private static String notAllowed(Attempt attempt, Scan scan) {
    PodInfo pod = attempt.pod();
    if (pod.preemptionPolicy() == PreemptionPolicy.NEVER) {
      return "not eligible due to preemptionPolicy=Never.";
    }
    Slot nominated =
        pod.nominatedNode().isEmpty() ? null : attempt.cluster().slotOf(pod.nominatedNode());
    if (nominated != null && nominated.node != null) {
      boolean isFinal = attempt.reasons().at(scan.verdict(attempt, nominated.number)).isFinal();
      for (PodInfo other : nominated.pods) {
        // It was given room already, which others are about to leave.
        if (!isFinal
            && other.priority() < pod.priority()
            && other.isDeleting()
            && other.isPreempted()) {
          return "not eligible due to a terminating pod on the nominated node.";
        }
      }
    }
    return "";
  }

  private VictimColumn column(Attempt attempt) {
    if (!Objects.equals(numbering, attempt.reasons())) {
      columns.clear();
      numbering = attempt.reasons();
    }
    if (!Trial.isLocal(attempt)) {
      var onlyThis = new VictimColumn();
      onlyThis.refresh(attempt);
      return onlyThis;
    }
    var kind = new Kind(attempt.shape().shape, attempt.pod().priority());
    VictimColumn column = columns.computeIfAbsent(kind, _ -> new VictimColumn());
    if (columns.size() > COLUMNS_MAX) {
      columns.remove(columns.keySet().iterator().next());
    }
    column.refresh(attempt);
    return column;
  }

  private static int best(
      Attempt attempt, Scan scan, VictimColumn column, Map<String, Integer> counts) {
    Cluster cluster = attempt.cluster();
    Trial trial = new Trial(attempt);
    int[] failures = new int[attempt.reasons().size() + 1];
    int notHelpful = 0;
    int best = NOBODY;
    int slots = cluster.slotsUsed();
    int start = Scan.start(attempt);
    for (int i = 0; i < slots; i++) {
      int number = start + i < slots ? start + i : start + i - slots;
      int verdict = scan.verdict(attempt, number);
      if (verdict == Reasons.ABSENT) {
        continue;
      }
      if (attempt.reasons().at(verdict).isFinal()) {
        notHelpful++;
        continue;
      }
      boolean promised = cluster.nominatedSlots().get(number);
      Slot slot = cluster.slotAt(number);
      if (slot != null && (promised || !column.isKnown(number))) {
        column.set(number, Victims.select(trial, slot, attempt.pod(), cluster.budgets()));
      }
      int outcome = column.outcome(number);
      if (outcome == Reasons.FITS) {
        if (best == NOBODY || column.isBetter(number, best)) {
          best = number;
        }
      } else {
        failures = countOne(failures, outcome);
      }
      if (promised) {
        // What is promised to others may change without the node.
        column.forget(number);
      }
    }
    if (best == NOBODY) {
      for (int verdict = 0; verdict < failures.length; verdict++) {
        if (failures[verdict] > 0) {
          for (String message : attempt.reasons().at(verdict).messages()) {
            counts.merge(message, failures[verdict], Integer::sum);
          }
        }
      }
      add(counts, NOT_HELPFUL, notHelpful);
    }
    return best;
  }

  private static int[] countOne(int[] failures, int outcome) {
    int[] grown = outcome < failures.length ? failures : Arrays.copyOf(failures, outcome * 2);
    grown[outcome]++;
    return grown;
  }

  private static void add(Map<String, Integer> counts, String message, int count) {
    if (count > 0) {
      counts.merge(message, count, Integer::sum);
    }
  }

  /** The same where nobody is worth less than the pod: no node needs a look. */
  private static void count(Attempt attempt, Scan scan, Map<String, Integer> counts) {
    for (int verdict = Reasons.ABSENT + 1; verdict < attempt.reasons().size(); verdict++) {
      int nodes = attempt.shape().count(verdict) + scan.rejected(verdict);
      Reason reason = attempt.reasons().at(verdict);
      String message =
          reason.isFinal()
              ? NOT_HELPFUL
              : attempt.reasons().at(Reasons.NO_VICTIMS).messages().getFirst();
      add(counts, message, nodes);
    }
  }
}
