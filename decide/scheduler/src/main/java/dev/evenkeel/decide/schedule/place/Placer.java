package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.judge.PluginNames;
import dev.evenkeel.decide.schedule.model.PodGroup;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.plugin.PluginFailure;
import dev.evenkeel.decide.schedule.plugin.PluginRefusal;
import dev.evenkeel.decide.schedule.plugin.PostFilter;
import dev.evenkeel.decide.schedule.plugin.PreFilter;
import dev.evenkeel.explain.record.Decision.Evaluation;
import dev.evenkeel.explain.record.Decision.Rejection;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
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
  private final Extensions extensions;
  private final Scan scan = new Scan();
  private final Preempter preempter = new Preempter();
  private @Nullable Caches caches;

  public Placer(Profile profile) {
    this.profile = profile;
    this.extensions = Extensions.of(profile.plugins());
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
    PlacementContext attempt = PlacementContext.of(pod, cluster, profile, extensions, caches);
    String refusal = attempt.shape().claims().refusal();
    if (refusal != null) {
      return refused(attempt, PluginNames.VOLUME_BINDING, refusal, Set.of(WakeOn.CLAIM));
    }
    for (PreFilter plugin : extensions.preFilters()) {
      PluginRefusal refused =
          PluginFailure.ask(plugin, "PreFilter", () -> plugin.preFilter(pod, cluster));
      if (refused != null) {
        return refused(attempt, PluginFailure.nameOf(plugin), refused.reason(), refused.helpedBy());
      }
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
    Map<String, String> promised = new HashMap<>();
    try {
      for (PodInfo pod : pods) {
        Placement placement = place(pod, cluster);
        placements.add(placement);
        if (placement instanceof Placement.Placed placed) {
          String nominated = cluster.nominationOf(pod.uid());
          if (nominated != null) {
            promised.put(pod.uid(), nominated);
          }
          cluster.assume(pod, placed.node());
        }
      }
    } finally {
      for (Placement placement : placements) {
        PodInfo pod = placement.pod();
        if (placement instanceof Placement.Placed) {
          cluster.forget(pod.uid());
          String nominated = promised.get(pod.uid());
          if (nominated != null) {
            cluster.nominate(pod, nominated);
          }
        }
      }
    }
    return placements;
  }

  /**
   * Places the pods of a group: as many of it as there is room for, if those are enough; otherwise
   * none, whatever there would be room for.
   *
   * @param bound how many pods of the group have a node already
   */
  public List<Placement> place(PodGroup group, List<PodInfo> pods, int bound, Cluster cluster) {
    return together(group, place(pods, cluster), bound, cluster);
  }

  /** What becomes of placements that were found one after the other, of a group. */
  public List<Placement> together(
      PodGroup group, List<Placement> placements, int bound, Cluster cluster) {
    long placed = placements.stream().filter(each -> each instanceof Placement.Placed).count();
    if (bound + placed >= group.minimum()) {
      return placements;
    }
    String reason =
        "pod group \"%s\" needs %d pods at once, there is room for %d"
            .formatted(group.name(), group.minimum(), bound + placed);
    Set<WakeOn> helpedBy = EnumSet.of(WakeOn.GROUP, WakeOn.NODE_ADDED, WakeOn.POD_REMOVED);
    Set<String> heldBy = new HashSet<>();
    for (Placement placement : placements) {
      if (placement instanceof Placement.Unplaced unplaced) {
        helpedBy.addAll(unplaced.helpedBy());
        heldBy.addAll(unplaced.heldBy());
      }
    }
    return placements.stream()
        .map(each -> heldBack(each, reason, helpedBy, heldBy, cluster.nodes()))
        .toList();
  }

  /** One that could be placed by itself waits for the others. */
  private static Placement heldBack(
      Placement placement, String reason, Set<WakeOn> helpedBy, Set<String> heldBy, int nodes) {
    return switch (placement) {
      case Placement.Unplaced unplaced ->
          new Placement.Unplaced(
              unplaced.pod(),
              unplaced.evaluation(),
              helpedBy,
              heldBy,
              // Room for one of them is no room for all.
              null,
              reason + ". " + unplaced.message());
      case Placement.Placed placed -> {
        List<Rejection> rejections = new ArrayList<>(placed.evaluation().rejections());
        rejections.add(new Rejection(PluginNames.POD_GROUP, reason, nodes, List.of()));
        yield new Placement.Unplaced(
            placed.pod(),
            new Evaluation(rejections, placed.evaluation().scores()),
            helpedBy,
            heldBy,
            null,
            reason + ".");
      }
    };
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

  private Placement placed(PlacementContext attempt) {
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

  private Placement unplaced(PlacementContext attempt) {
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
    Set<WakeOn> helpedBy = Report.helpedBy(attempt, scan);
    if (preempted.isHeld()) {
      helpedBy.add(WakeOn.ROOM_RELEASED);
    }
    Preemption preemption = preempted.preemption();
    return new Placement.Unplaced(
        attempt.pod(),
        evaluation,
        helpedBy,
        attempt.shares().heldBy(scan),
        preemption == null ? roomByPlugins(attempt) : preemption,
        message);
  }

  private @Nullable Preemption roomByPlugins(PlacementContext attempt) {
    for (PostFilter plugin : extensions.postFilters()) {
      PostFilter.Room room =
          PluginFailure.ask(
              plugin, "PostFilter", () -> plugin.postFilter(attempt.pod(), attempt.cluster()));
      if (room != null) {
        return new Preemption(room.node(), room.victims(), 0);
      }
    }
    return null;
  }

  /** What is wrong with the pod, as with its claims, is wrong on every node. */
  private static Placement refused(
      PlacementContext attempt, String stage, String why, Set<WakeOn> helpedBy) {
    int nodes = attempt.cluster().nodes();
    var rejection = new Rejection(stage, why, nodes, List.of());
    String message =
        "0/%d nodes are available: %s. preemption: %s"
            .formatted(nodes, why, Report.message(nodes, Map.of(Preempter.NOT_HELPFUL, nodes)));
    return new Placement.Unplaced(
        attempt.pod(), new Evaluation(List.of(rejection), List.of()), helpedBy, null, message);
  }
}
