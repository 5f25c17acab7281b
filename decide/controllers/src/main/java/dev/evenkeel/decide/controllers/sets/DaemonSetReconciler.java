package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.controllers.object.Selecting;
import dev.evenkeel.decide.controllers.sets.DaemonPlacement.Verdict;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Keeps one pod of a daemon set on each node that the set is for. */
public final class DaemonSetReconciler implements Reconciler<ObjectNode> {

  public static Controller<ObjectNode> controller() {
    return Controller.of("daemonset", Kinds.DAEMON_SETS, new DaemonSetReconciler())
        .owning(Kinds.PODS)
        .owning(Kinds.CONTROLLER_REVISIONS)
        .indexing(Kinds.PODS, DaemonPods.BY_SET_AND_NODE)
        .watching(Kinds.PODS, (pod, view) -> Selecting.adopters(Kinds.DAEMON_SETS, pod, view))
        .watching(Kinds.NODES, DaemonSetReconciler::concernedByNode);
  }

  /**
   * Sets for which the node should have a pod and has none, or the other way round. Nodes say every
   * few seconds that they live; sets that are as they should be need not hear of it. When a node
   * comes to be fit for a set or unfit, one of its two states is at odds with the pods there. A
   * node that is younger than its pod came back under its name: the set counts it again.
   */
  private static Collection<Key> concernedByNode(Cached<ObjectNode> node, View view) {
    boolean gone = view.find(Kinds.NODES, "", node.name()) == null;
    List<Key> concerned = new ArrayList<>();
    for (Cached<ObjectNode> set : view.list(Kinds.DAEMON_SETS, "")) {
      List<Cached<ObjectNode>> pods =
          view.by(Kinds.PODS, DaemonPods.BY_SET_AND_NODE, DaemonPods.key(set, node.name()));
      boolean there = !pods.isEmpty();
      boolean fit = new DaemonPlacement(set.tree()).of(node) == Verdict.RUN;
      boolean back = pods.stream().anyMatch(pod -> created(pod).compareTo(created(node)) < 0);
      if (gone ? there || fit : there != fit || back) {
        concerned.add(new Key(set.namespace(), set.name()));
      }
    }
    return concerned;
  }

  /** In the form in which earlier times come first. */
  private static String created(Cached<?> object) {
    return object.text("metadata", "creationTimestamp");
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    ObjectNode set = object.tree();
    Plan plan = Plan.empty();
    LabelSelector selector = Selecting.selector(set);
    if (selector == null || Pods.isEnding(set)) {
      return plan;
    }
    if (selector.isEverything()) {
      return plan.tell(
          PlannedEvent.Type.WARNING,
          "SelectingAll",
          "This daemon set is selecting all pods. A non-empty selector is required.");
    }
    var history = new RevisionHistory(object, set, selector, Member.REVISION_LABEL, view, plan);
    List<Member> members = Member.claim(object, selector, _ -> true, false, view, plan);
    var placement = new DaemonPlacement(set);
    Map<String, Verdict> nodes = new TreeMap<>();
    for (Cached<ObjectNode> node : view.list(Kinds.NODES, "")) {
      nodes.put(node.name(), placement.of(node));
    }
    var strategy = DaemonStrategy.of(set);
    var pods = new DaemonPods(object, set, members, history.update(), plan);
    // Before what may be refused: users read here that their change was seen.
    status(object, set, nodes, pods, strategy, history, view, plan);
    new DaemonUpkeep(pods, nodes, strategy, view.now(), plan).plan();
    if (pods.actions() == 0 && strategy.rolling()) {
      new DaemonUpdate(pods, nodes, strategy, view.now()).plan();
    }
    cleanUp(history, members, plan);
    return plan;
  }

  private static void cleanUp(RevisionHistory history, List<Member> members, Plan plan) {
    Set<String> hashes = new HashSet<>();
    members.forEach(it -> hashes.add(it.revision()));
    Set<String> inUse = new HashSet<>();
    history.old().stream()
        .filter(it -> hashes.contains(it.hash()))
        .forEach(it -> inUse.add(it.name()));
    history.cleanUp(inUse, Math.max(0, history.limit() - inUse.size()), plan);
  }

  private static void status(
      Cached<ObjectNode> seen,
      ObjectNode set,
      Map<String, Verdict> nodes,
      DaemonPods pods,
      DaemonStrategy strategy,
      RevisionHistory history,
      View view,
      Plan plan) {
    int desired = 0;
    int current = 0;
    int misplaced = 0;
    int ready = 0;
    int available = 0;
    int updated = 0;
    for (Map.Entry<String, Verdict> node : nodes.entrySet()) {
      List<Member> there = pods.on(node.getKey());
      if (node.getValue() != Verdict.RUN) {
        misplaced += there.isEmpty() ? 0 : 1;
        continue;
      }
      desired++;
      if (there.isEmpty()) {
        continue;
      }
      current++;
      Member pod = there.getFirst();
      updated += pods.isUpToDate(pod) ? 1 : 0;
      ready += pod.isReady() ? 1 : 0;
      available += pod.isAvailable(strategy.minReady(), view.now()) ? 1 : 0;
    }
    pods.byNode().values().stream()
        .flatMap(List::stream)
        .forEach(pod -> lookWhenAvailable(pod, strategy, view, plan));
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("desiredNumberScheduled", desired).put("currentNumberScheduled", current);
    status.put("numberMisscheduled", misplaced).put("numberReady", ready);
    StatefulSetReconciler.put(status, "updatedNumberScheduled", updated);
    StatefulSetReconciler.put(status, "numberAvailable", available);
    StatefulSetReconciler.put(status, "numberUnavailable", desired - available);
    if (history.collisions() > 0) {
      status.put("collisionCount", history.collisions());
    }
    status.put("observedGeneration", set.path("metadata").path("generation").asLong(0));
    plan.status(seen, status, ready + " of " + desired + " nodes have a pod that is ready");
  }

  private static void lookWhenAvailable(Member pod, DaemonStrategy strategy, View view, Plan plan) {
    Duration left = pod.untilAvailable(strategy.minReady(), view.now());
    if (left != null && !left.isZero()) {
      plan.lookAgain(left, pod.name() + " becomes available");
    }
  }
}
