package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.judge.PluginNames;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.explain.record.Decision.Evaluation;
import dev.evenkeel.explain.record.Decision.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best node for a pod, by a profile. The same pod and the same cluster give the same
 * placement; what is kept from earlier pods only makes it faster.
 *
 * <p><b>Invariants</b>: a cluster is after each call what it was before.
 *
 * <p><b>Threading</b>: of the cluster's thread. Several placers may share a cluster there.
 */
public final class Placer {

  private static final Evaluation NOTHING_WEIGHED = new Evaluation(List.of(), List.of());

  private final Profile profile;
  private final Scan scan = new Scan();
  private final Preempter preempter = new Preempter();
  private @Nullable Caches caches;

  public Placer(Profile profile) {
    this.profile = profile;
  }

  public Profile profile() {
    return profile;
  }

  public Placement place(PodInfo pod, Cluster cluster) {
    if (!pod.gates().isEmpty()) {
      return gated(pod, cluster);
    }
    if (caches == null || !caches.isOf(cluster)) {
      caches = new Caches(profile, cluster);
    }
    Attempt attempt = Attempt.of(pod, cluster, profile, caches);
    String refusal = attempt.shape().claims().refusal();
    if (refusal != null) {
      return refused(attempt, refusal);
    }
    scan.run(attempt);
    return scan.left() == 0 ? unplaced(attempt) : placed(attempt);
  }

  /**
   * Places one after the other, each with those before it on their nodes. At the end all are taken
   * from there again: whoever goes on with a placement assumes it.
   */
  public List<Placement> place(List<PodInfo> pods, Cluster cluster) {
    List<Placement> placements = new ArrayList<>(pods.size());
    try {
      for (PodInfo pod : pods) {
        Placement placement = place(pod, cluster);
        placements.add(placement);
        if (placement instanceof Placement.Placed placed) {
          cluster.assume(pod, placed.node());
        }
      }
    } finally {
      for (Placement placement : placements) {
        if (placement instanceof Placement.Placed) {
          cluster.forget(placement.pod().uid());
        }
      }
    }
    return placements;
  }

  private static Placement gated(PodInfo pod, Cluster cluster) {
    String reason = "Scheduling is blocked due to non-empty scheduling gates";
    var rejection = new Rejection(PluginNames.SCHEDULING_GATES, reason, cluster.nodes(), List.of());
    return new Placement.Unplaced(
        pod,
        new Evaluation(List.of(rejection), List.of()),
        Set.of(WakeOn.GATE),
        null,
        reason + ": " + String.join(", ", pod.gates()));
  }

  private Placement placed(Attempt attempt) {
    List<String> others = new ArrayList<>(Placement.ALTERNATIVES_MAX);
    for (int i = 1; i < scan.best(); i++) {
      others.add(Report.name(attempt, scan.bestSlot(i)));
    }
    return new Placement.Placed(
        attempt.pod(),
        Report.name(attempt, scan.bestSlot(0)),
        others,
        Report.evaluation(attempt, scan));
  }

  private Placement unplaced(Attempt attempt) {
    Evaluation evaluation =
        attempt.cluster().nodes() == 0 ? NOTHING_WEIGHED : Report.evaluation(attempt, scan);
    String message = Report.message(attempt.cluster().nodes(), evaluation.rejections());
    if (attempt.cluster().nodes() == 0) {
      return new Placement.Unplaced(
          attempt.pod(), evaluation, Set.of(WakeOn.NODE_ADDED), null, message);
    }
    Preempter.Outcome preempted = preempter.find(attempt, scan);
    if (!preempted.message().isEmpty()) {
      message += " preemption: " + preempted.message();
    }
    return new Placement.Unplaced(
        attempt.pod(), evaluation, Report.helpedBy(attempt, scan), preempted.preemption(), message);
  }

  /** What is wrong with the claims of a pod is wrong on every node. */
  private static Placement refused(Attempt attempt, String why) {
    int nodes = attempt.cluster().nodes();
    var rejection = new Rejection(PluginNames.VOLUME_BINDING, why, nodes, List.of());
    String message =
        "0/%d nodes are available: %s. preemption: %s"
            .formatted(nodes, why, Report.message(nodes, Map.of(Preempter.NOT_HELPFUL, nodes)));
    return new Placement.Unplaced(
        attempt.pod(),
        new Evaluation(List.of(rejection), List.of()),
        Set.of(WakeOn.CLAIM),
        null,
        message);
  }
}
