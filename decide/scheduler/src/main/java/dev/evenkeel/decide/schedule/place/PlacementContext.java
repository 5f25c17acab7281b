package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.Slot;
import dev.evenkeel.decide.schedule.judge.Neighbors;
import dev.evenkeel.decide.schedule.judge.Reasons;
import dev.evenkeel.decide.schedule.judge.ShapeState;
import dev.evenkeel.decide.schedule.judge.SpreadState;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.SpreadConstraint;
import dev.evenkeel.decide.schedule.plugin.NodeView;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that is needed to judge nodes for one pod. It holds until the next change of the cluster.
 *
 * @param required how the pods that it must be spread with are spread; null if there are none
 * @param preferred how those are that it should be spread with; null if there are none
 * @param shares what its namespace may not have more of
 */
record PlacementContext(
    PodInfo pod,
    Cluster cluster,
    Profile profile,
    Extensions extensions,
    Reasons reasons,
    ShapeState shape,
    @Nullable SpreadState required,
    @Nullable SpreadState preferred,
    Neighbors neighbors,
    Shares shares) {

  /** Caches that overflow have what was asked before asked again; twice is once too often. */
  private static final int TRIES_MAX = 4;

  private static final int DEFAULT_ZONE_SKEW = 5;
  private static final int DEFAULT_HOST_SKEW = 3;

  static PlacementContext of(
      PodInfo pod, Cluster cluster, Profile profile, Extensions extensions, Caches caches) {
    for (int i = 0; i < TRIES_MAX; i++) {
      long position = cluster.columns().log().next();
      ShapeState shape = caches.shape(pod.shape());
      Neighbors neighbors = Neighbors.of(pod, cluster.columns(), profile.weighing());
      List<SpreadConstraint> constraints = pod.constraints();
      boolean isDefault = constraints.isEmpty();
      if (isDefault && profile.spreadsByDefault()) {
        constraints = defaults(siblings(pod, cluster));
      }
      if (profile.zoneSkewMax() > 0) {
        constraints = withZones(constraints, pod, cluster, profile.zoneSkewMax());
      }
      SpreadState required = spread(pod, constraints, true, true, caches);
      SpreadState preferred = spread(pod, constraints, false, !isDefault, caches);
      if (cluster.columns().log().next() == position) {
        return new PlacementContext(
            pod,
            cluster,
            profile,
            extensions,
            caches.reasons(),
            shape,
            required,
            preferred,
            neighbors,
            Shares.of(pod, cluster, caches.reasons()));
      }
    }
    throw new IllegalStateException(pod + " asks for more counters than are kept");
  }

  private static @Nullable SpreadState spread(
      PodInfo pod,
      List<SpreadConstraint> constraints,
      boolean isRequired,
      boolean needsAllLabels,
      Caches caches) {
    if (constraints.isEmpty()) {
      return null;
    }
    List<SpreadConstraint> some =
        constraints.stream().filter(each -> each.isRequired() == isRequired).toList();
    return some.isEmpty()
        ? null
        : caches.spread(
            new SpreadState.Key(
                pod.namespace(),
                some,
                needsAllLabels,
                pod.shape().selection(),
                pod.shape().tolerations()));
  }

  /** Selects the pods that it is spread with if it says nothing; null if there are none. */
  private static @Nullable LabelSelector siblings(PodInfo pod, Cluster cluster) {
    LabelSelector ofOwner = pod.siblings();
    return ofOwner != null ? ofOwner : cluster.serviceSelector(pod);
  }

  /** With what a policy asks for: pods that have nothing in common are not spread. */
  private static List<SpreadConstraint> withZones(
      List<SpreadConstraint> constraints, PodInfo pod, Cluster cluster, int skewMax) {
    LabelSelector siblings = siblings(pod, cluster);
    if (siblings == null && pod.labels().isEmpty()) {
      return constraints;
    }
    LabelSelector sort = siblings == null ? LabelSelector.ofLabels(pod.labels()) : siblings;
    List<SpreadConstraint> more = new ArrayList<>(constraints);
    more.add(new SpreadConstraint(SpreadConstraint.ZONE, skewMax, true, sort, 1, true, false));
    return more;
  }

  private static List<SpreadConstraint> defaults(@Nullable LabelSelector siblings) {
    if (siblings == null) {
      return List.of();
    }
    return List.of(
        new SpreadConstraint(
            SpreadConstraint.HOSTNAME, DEFAULT_HOST_SKEW, false, siblings, 1, true, false),
        new SpreadConstraint(
            SpreadConstraint.ZONE, DEFAULT_ZONE_SKEW, false, siblings, 1, true, false));
  }

  /** What users' plugins see of a node; the slot has one. */
  NodeView view(Slot slot, List<PodInfo> pods) {
    return new NodeView(Objects.requireNonNull(slot.node()), pods);
  }

  NodeView view(int number) {
    Slot slot = Objects.requireNonNull(cluster.slotAt(number));
    return view(slot, slot.pods());
  }

  /** Whether the shape alone decides which nodes fit, and how well. */
  boolean isPlain() {
    return required == null
        && preferred == null
        && !neighbors.judges()
        && !neighbors.scores()
        && !shape.hasUnpreferred()
        && pod.shape().preferred().isEmpty()
        && cluster.nominatedSlots().isEmpty()
        && !extensions.looksAtNodes()
        && shares.isEmpty();
  }
}
