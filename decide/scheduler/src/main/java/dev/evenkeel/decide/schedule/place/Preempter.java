package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.Slot;
import dev.evenkeel.decide.schedule.judge.Reason;
import dev.evenkeel.decide.schedule.judge.Reasons;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.PodInfo.PreemptionPolicy;
import dev.evenkeel.decide.schedule.model.Shape;
import dev.evenkeel.decide.schedule.model.WakeOn;
import java.util.BitSet;
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

  private record Kind(Shape shape, int priority) {}

  private final Map<Kind, VictimColumn> columns = new LinkedHashMap<>(16, 0.75f, true);
  private @Nullable Reasons numbering;

  /**
   * What came of it.
   *
   * @param message why nothing did; empty otherwise
   * @param isHeld whether it could have, had no room been promised to others
   */
  record Outcome(@Nullable Preemption preemption, String message, boolean isHeld) {}

  Outcome find(PlacementContext attempt, Scan scan) {
    String notAllowed = notAllowed(attempt, scan);
    if (!notAllowed.isEmpty()) {
      return new Outcome(null, notAllowed, false);
    }
    Cluster cluster = attempt.cluster();
    Map<String, Integer> counts = new TreeMap<>();
    int best = VictimColumn.NOBODY;
    boolean isHeld = false;
    VictimColumn column = column(attempt);
    if (cluster.hasPodsBelow(attempt.pod().priority())) {
      // What is promised to others may change without the node.
      BitSet promised = cluster.nominatedSlots();
      promised.stream().forEach(column::forget);
      best = column.best(attempt, scan);
      if (best == VictimColumn.NOBODY) {
        isHeld = count(attempt, scan, column, counts);
      }
      promised.stream().forEach(column::forget);
    } else {
      count(attempt, scan, counts);
    }
    Slot slot = best == VictimColumn.NOBODY ? null : cluster.slotAt(best);
    if (slot == null) {
      return new Outcome(null, Report.message(cluster.nodes(), counts), isHeld);
    }
    Victims victims =
        Victims.select(new DryRunNode(attempt), slot, attempt.pod(), cluster.budgets());
    return new Outcome(
        new Preemption(slot.name(), victims.pods(), victims.violations()), "", false);
  }

  private static String notAllowed(PlacementContext attempt, Scan scan) {
    PodInfo pod = attempt.pod();
    if (pod.preemptionPolicy() == PreemptionPolicy.NEVER) {
      return "not eligible due to preemptionPolicy=Never.";
    }
    Slot nominated =
        pod.nominatedNode().isEmpty() ? null : attempt.cluster().slotOf(pod.nominatedNode());
    if (nominated != null && nominated.node() != null) {
      boolean isFinal = attempt.reasons().at(scan.verdict(attempt, nominated.number())).isFinal();
      for (PodInfo other : nominated.pods()) {
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

  private VictimColumn column(PlacementContext attempt) {
    if (!Objects.equals(numbering, attempt.reasons())) {
      columns.clear();
      numbering = attempt.reasons();
    }
    if (!DryRunNode.isLocal(attempt)) {
      var onlyThis = new VictimColumn();
      onlyThis.refresh(attempt);
      return onlyThis;
    }
    var kind = new Kind(attempt.shape().shape(), attempt.pod().priority());
    VictimColumn column = columns.computeIfAbsent(kind, _ -> new VictimColumn());
    if (columns.size() > COLUMNS_MAX) {
      columns.remove(columns.keySet().iterator().next());
    }
    column.refresh(attempt);
    return column;
  }

  /** Why removing pods helps nowhere; whether it would, had no room been promised to others. */
  private static boolean count(
      PlacementContext attempt, Scan scan, VictimColumn column, Map<String, Integer> counts) {
    int[] failures = new int[attempt.reasons().size()];
    int notHelpful = 0;
    for (int slot = 0; slot < attempt.cluster().slotsUsed(); slot++) {
      int verdict = scan.verdict(attempt, slot);
      if (verdict != Reasons.ABSENT) {
        if (attempt.reasons().at(verdict).isFinal()) {
          notHelpful++;
        } else {
          failures[column.outcome(slot)]++;
        }
      }
    }
    boolean isHeld = false;
    for (int verdict = 0; verdict < failures.length; verdict++) {
      Reason reason = attempt.reasons().at(verdict);
      isHeld |= failures[verdict] > 0 && reason.helpedBy().contains(WakeOn.ROOM_RELEASED);
      for (String message : reason.messages()) {
        add(counts, message, failures[verdict]);
      }
    }
    add(counts, NOT_HELPFUL, notHelpful);
    return isHeld;
  }

  private static void add(Map<String, Integer> counts, String message, int count) {
    if (count > 0) {
      counts.merge(message, count, Integer::sum);
    }
  }

  /** The same where nobody is worth less than the pod: no node needs a look. */
  private static void count(PlacementContext attempt, Scan scan, Map<String, Integer> counts) {
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
