package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.PlannedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Has each node have the pods it should: one, or two while an update doubles them. */
final class DaemonUpkeep {

  /**
   * A pod that failed sooner than this after it was made waits until then: a node that refuses pods
   * would be sent one after the other otherwise. Upstream counts failures in memory and waits
   * longer with each.
   */
  static final Duration FAILED_AFTER_MIN = Duration.ofSeconds(30);

  private final DaemonPods pods;
  private final Map<String, DaemonPlacement.Verdict> nodes;
  private final DaemonStrategy strategy;
  private final Instant now;
  private final Plan plan;

  /**
   * @param nodes all there are
   */
  DaemonUpkeep(
      DaemonPods pods,
      Map<String, DaemonPlacement.Verdict> nodes,
      DaemonStrategy strategy,
      Instant now,
      Plan plan) {
    this.pods = pods;
    this.nodes = nodes;
    this.strategy = strategy;
    this.now = now;
    this.plan = plan;
  }

  void plan() {
    nodes.forEach(this::onNode);
    pods.byNode()
        .forEach(
            (node, there) -> {
              if (!nodes.containsKey(node)) {
                there.stream()
                    .filter(it -> it.node().isEmpty() && !it.isEnding())
                    .forEach(
                        it ->
                            pods.delete(
                                it, it.name() + " is for node " + node + ", which is gone"));
              }
            });
  }

  private void onNode(String node, DaemonPlacement.Verdict verdict) {
    List<Member> there = pods.on(node);
    switch (verdict) {
      case RUN -> {
        if (there.isEmpty()) {
          pods.create(node, "node " + node + " has no pod");
        } else if (!keep(node, there) && strategy.surges()) {
          pods.create(node, "node " + node + " has no pod but such as are ending");
        }
      }
      case KEEP -> {
        var _ = keep(node, there);
      }
      case NONE ->
          there.stream()
              .filter(it -> !it.isEnding())
              .forEach(it -> pods.delete(it, "node " + node + " should have no pod any more"));
    }
  }

  /**
   * Ends those that are over or too many, and says whether one is left, or waits to be replaced.
   */
  private boolean keep(String node, List<Member> there) {
    List<Member> running = new ArrayList<>();
    boolean waiting = false;
    for (Member pod : there) {
      if (pod.isEnding()) {
        continue;
      }
      if (pod.isOver()) {
        waiting |= !replace(node, pod);
      } else {
        running.add(pod);
      }
    }
    if (running.size() > 1) {
      if (strategy.surges()) {
        thinOutDoubled(node, running);
      } else {
        running.subList(1, running.size()).forEach(it -> tooMany(node, it));
      }
    }
    return waiting || !running.isEmpty();
  }

  private void tooMany(String node, Member pod) {
    pods.delete(pod, "node " + node + " has an older pod already");
  }

  /** Whether it is done now. */
  private boolean replace(String node, Member pod) {
    String place = pod.seen().namespace() + "/" + pod.name() + " on node " + node;
    if (pod.isFailed()) {
      Duration left = untilReplaced(pod);
      if (!left.isZero()) {
        plan.lookAgain(left, pod.name() + " failed at once, and is replaced then");
        return false;
      }
      plan.tell(
          PlannedEvent.Type.WARNING,
          "FailedDaemonPod",
          "Found failed daemon pod " + place + ", will try to kill it");
    } else {
      plan.tell(
          PlannedEvent.Type.NORMAL,
          "SucceededDaemonPod",
          "Found succeeded daemon pod " + place + ", will try to delete it");
    }
    pods.delete(pod, pod.name() + " has ended and is replaced");
    return true;
  }

  private Duration untilReplaced(Member pod) {
    Instant made = Pods.time(pod.tree().path("metadata").path("creationTimestamp"));
    if (made == null) {
      return Duration.ZERO;
    }
    Duration left = Duration.between(now, made.plus(FAILED_AFTER_MIN));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Keeps the oldest new pod and, until that is available, the oldest old one if it is ready. */
  private void thinOutDoubled(String node, List<Member> running) {
    Member newPod = null;
    Member oldPod = null;
    for (Member pod : running) {
      if (pods.isUpToDate(pod) && newPod == null) {
        newPod = pod;
      } else if (!pods.isUpToDate(pod) && oldPod == null) {
        oldPod = pod;
      } else {
        tooMany(node, pod);
      }
    }
    if (newPod != null && oldPod != null && isDispensable(oldPod, newPod)) {
      pods.delete(oldPod, newPod.name() + " takes its place on node " + node);
    }
  }

  private boolean isDispensable(Member oldPod, Member newPod) {
    return !oldPod.isReady() || newPod.isAvailable(strategy.minReady(), now);
  }

  /** The old and the new pod on a node; null if there are several of either. */
  static @Nullable Pair pair(List<Member> there, DaemonPods pods) {
    Member newPod = null;
    Member oldPod = null;
    for (Member pod : there) {
      if (pod.isEnding()) {
        continue;
      }
      boolean upToDate = pods.isUpToDate(pod);
      if ((upToDate ? newPod : oldPod) != null) {
        return null;
      }
      if (upToDate) {
        newPod = pod;
      } else {
        oldPod = pod;
      }
    }
    return new Pair(oldPod, newPod);
  }

  /** An old pod and the one that takes its place. */
  record Pair(@Nullable Member oldPod, @Nullable Member newPod) {}
}
