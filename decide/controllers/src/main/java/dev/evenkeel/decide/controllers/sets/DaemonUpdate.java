package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.decide.controllers.sets.DaemonPlacement.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Replaces pods that are out of date, no more at a time than the set's author allows. */
final class DaemonUpdate {

  private final DaemonPods pods;
  private final Map<String, Verdict> nodes;
  private final DaemonStrategy strategy;
  private final Instant now;
  private final int desired;

  DaemonUpdate(DaemonPods pods, Map<String, Verdict> nodes, DaemonStrategy strategy, Instant now) {
    this.pods = pods;
    this.nodes = nodes;
    this.strategy = strategy;
    this.now = now;
    this.desired = (int) nodes.values().stream().filter(it -> it == Verdict.RUN).count();
  }

  void plan() {
    if (strategy.surgeMax(desired) == 0) {
      deleteFirst();
    } else {
      createFirst();
    }
  }

  /** Nodes that have a pod or should. */
  private Set<String> concerned() {
    Set<String> concerned = new TreeSet<>(pods.byNode().keySet());
    nodes.forEach(
        (node, verdict) -> {
          if (verdict == Verdict.RUN) {
            concerned.add(node);
          }
        });
    return concerned;
  }

  private boolean isAvailable(Member pod) {
    return pod.isAvailable(strategy.minReady(), now);
  }

  private void deleteFirst() {
    int unavailable = 0;
    List<Member> useless = new ArrayList<>();
    List<Member> outOfDate = new ArrayList<>();
    for (String node : concerned()) {
      DaemonUpkeep.Pair pair = DaemonUpkeep.pair(pods.on(node), pods);
      Member oldPod = pair == null ? null : pair.oldPod();
      Member newPod = pair == null ? null : pair.newPod();
      if ((oldPod == null) == (newPod == null)) {
        unavailable++;
      } else if (newPod != null) {
        unavailable += isAvailable(newPod) ? 0 : 1;
      } else if (oldPod != null) {
        if (isAvailable(oldPod)) {
          outOfDate.add(oldPod);
        } else {
          useless.add(oldPod);
          unavailable++;
        }
      }
    }
    useless.forEach(
        it -> {
          if (!it.isOver()) {
            pods.delete(it, it.name() + " is out of date, and is of no use as it is");
          }
        });
    int allowed = strategy.unavailableMax(desired);
    outOfDate.stream()
        .limit(Math.max(0, allowed - unavailable))
        .forEach(
            it ->
                pods.delete(
                    it, it.name() + " is out of date, and " + allowed + " may be unavailable"));
  }

  /** New pods come while the old ones are there; an old one goes when the new one is available. */
  private void createFirst() {
    int doubled = 0;
    int available = 0;
    List<String> atOnce = new ArrayList<>();
    List<String> inTurn = new ArrayList<>();
    List<Member> misplaced = new ArrayList<>();
    for (String node : concerned()) {
      DaemonUpkeep.Pair pair = DaemonUpkeep.pair(pods.on(node), pods);
      if (pair == null) {
        doubled++;
        continue;
      }
      Member oldPod = pair.oldPod();
      Member newPod = pair.newPod();
      Member first = oldPod == null ? newPod : oldPod;
      available += first != null && isAvailable(first) ? 1 : 0;
      if (oldPod == null) {
        continue;
      }
      if (newPod != null) {
        if (isAvailable(newPod)) {
          pods.delete(oldPod, newPod.name() + " takes its place on node " + node);
        } else {
          doubled++;
        }
      } else if (nodes.get(node) != Verdict.RUN) {
        misplaced.add(oldPod);
      } else if (isAvailable(oldPod)) {
        inTurn.add(node);
      } else {
        atOnce.add(node);
      }
    }
    moveAway(misplaced, available - desired);
    atOnce.forEach(node -> pods.create(node, "the old pod on node " + node + " is of no use"));
    int allowed = strategy.surgeMax(desired);
    inTurn.stream()
        .limit(Math.max(0, allowed - doubled))
        .forEach(
            node ->
                pods.create(
                    node,
                    "the pod on node "
                        + node
                        + " is out of date, and "
                        + allowed
                        + " may be doubled"));
  }

  /**
   * Ends old pods where new ones would not be let in: useless ones at once, others as far as there
   * are enough elsewhere.
   */
  private void moveAway(List<Member> misplaced, int spare) {
    int left = spare;
    for (Member pod : misplaced) {
      if (!nodes.containsKey(pod.node()) && !pod.node().isEmpty()) {
        continue;
      }
      if (!isAvailable(pod) || left-- > 0) {
        pods.delete(pod, pod.name() + " is out of date where no new one is let in");
      }
    }
  }
}
