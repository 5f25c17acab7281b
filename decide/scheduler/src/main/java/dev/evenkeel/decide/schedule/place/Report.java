package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.Slot;
import dev.evenkeel.decide.schedule.judge.PluginNames;
import dev.evenkeel.decide.schedule.judge.Reason;
import dev.evenkeel.decide.schedule.judge.Reasons;
import dev.evenkeel.decide.schedule.judge.ShapeState;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.explain.record.Decision.Evaluation;
import dev.evenkeel.explain.record.Decision.Rejection;
import dev.evenkeel.explain.record.Decision.Score;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Says what a scan found: for the decision's record, and for people. */
final class Report {

  private static final int SCORES_MAX = 3;

  private Report() {}

  static Evaluation evaluation(PlacementContext attempt, Scan scan) {
    return new Evaluation(rejections(attempt, scan), scores(attempt, scan));
  }

  private static List<Rejection> rejections(PlacementContext attempt, Scan scan) {
    ShapeState shape = attempt.shape();
    if (scan.left() == attempt.cluster().nodes()) {
      return List.of();
    }
    List<Rejection> rejections = new ArrayList<>(2);
    for (int verdict = Reasons.ABSENT + 1; verdict < attempt.reasons().size(); verdict++) {
      int byShape = shape.count(verdict);
      int byScan = scan.rejected(verdict);
      if (byShape + byScan > 0) {
        List<String> samples = samples(attempt, scan, verdict);
        Reason reason = attempt.reasons().at(verdict);
        for (String message : reason.messages()) {
          rejections.add(new Rejection(reason.stage(), message, byShape + byScan, samples));
        }
      }
    }
    return rejections;
  }

  private static List<String> samples(PlacementContext attempt, Scan scan, int verdict) {
    List<String> names = new ArrayList<>(Scan.SAMPLES_MAX);
    for (int i = 0; i < Math.min(Scan.SAMPLES_MAX, scan.rejected(verdict)); i++) {
      names.add(name(attempt, scan.sample(verdict, i)));
    }
    int wanted = Math.min(Scan.SAMPLES_MAX - names.size(), attempt.shape().count(verdict));
    int[] verdicts = attempt.shape().verdicts();
    for (int slot = 0; wanted > 0 && slot < attempt.cluster().slotsUsed(); slot++) {
      if (verdicts[slot] == verdict) {
        names.add(name(attempt, slot));
        wanted--;
      }
    }
    return names;
  }

  static String name(PlacementContext attempt, int slot) {
    Slot at = attempt.cluster().slotAt(slot);
    return at == null ? "" : at.name();
  }

  private static List<Score> scores(PlacementContext attempt, Scan scan) {
    List<Score> scores = new ArrayList<>(SCORES_MAX);
    for (int i = 0; i < Math.min(SCORES_MAX, scan.best()); i++) {
      scores.add(score(attempt, scan, scan.bestSlot(i)));
    }
    return scores;
  }

  static Score score(PlacementContext attempt, Scan scan, int slot) {
    ShapeState shape = attempt.shape();
    List<Score.Part> parts = new ArrayList<>(7);
    long total = add(parts, PluginNames.NODE_RESOURCES_FIT, shape.fitPoints(slot));
    total += add(parts, PluginNames.BALANCED_ALLOCATION, shape.balancePoints(slot));
    total += add(parts, PluginNames.IMAGE_LOCALITY, shape.imagePoints(slot));
    total += add(parts, PluginNames.TAINT_TOLERATION, scan.unpreferredPoints(attempt, slot));
    if (!attempt.isPlain()) {
      total += add(parts, PluginNames.NODE_AFFINITY, scan.preferredPoints(attempt, slot));
      total += add(parts, PluginNames.POD_TOPOLOGY_SPREAD, scan.spreadPoints(slot));
      total += add(parts, PluginNames.INTER_POD_AFFINITY, scan.neighborPoints(slot));
    }
    for (var plugin : attempt.extensions().scores()) {
      int points = Extensions.points(plugin, attempt.pod(), attempt.view(slot), attempt.profile());
      total += add(parts, plugin.name(), points);
    }
    return new Score(name(attempt, slot), total, parts);
  }

  private static long add(List<Score.Part> parts, String plugin, long points) {
    if (points != 0) {
      parts.add(new Score.Part(plugin, points));
    }
    return points;
  }

  /** Changes that can help with what rejected any node. */
  static Set<WakeOn> helpedBy(PlacementContext attempt, Scan scan) {
    Set<WakeOn> helpedBy = EnumSet.of(WakeOn.NODE_ADDED);
    for (int verdict = Reasons.ABSENT + 1; verdict < attempt.reasons().size(); verdict++) {
      if (attempt.shape().count(verdict) + scan.rejected(verdict) > 0) {
        helpedBy.addAll(attempt.reasons().at(verdict).helpedBy());
      }
    }
    return helpedBy;
  }

  /** {@code 0/5 nodes are available: 2 Insufficient cpu, 3 node(s) were unschedulable.} */
  static String message(int nodes, List<Rejection> rejections) {
    Map<String, Integer> counts = new TreeMap<>();
    rejections.forEach(each -> counts.merge(each.reason(), each.count(), Integer::sum));
    return message(nodes, counts);
  }

  static String message(int nodes, Map<String, Integer> counts) {
    if (nodes == 0) {
      return "no nodes available to schedule pods";
    }
    List<String> parts = new ArrayList<>(counts.size());
    counts.forEach((reason, count) -> parts.add(count + " " + reason));
    parts.sort(null);
    return "0/" + nodes + " nodes are available: " + String.join(", ", parts) + ".";
  }
}
