package dev.evenkeel.decide.controllers.cluster;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.cache.Indexes;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Ends pods that no node will end: those whose node is gone or out of service, those that were
 * never on one, and the oldest of too many that have ended.
 *
 * <p>That a node is gone is first written down in a condition of its pods, with the time. A node
 * that comes back soon finds its pods as they were, and the time is known however often the
 * controller starts anew.
 */
public final class PodGarbageReconciler implements Reconciler<ObjectNode> {

  /** Says since when a pod's node is not there. */
  static final String NODE_GONE = "evenkeel.dev/NodeGone";

  private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

  /** Upstream's default. */
  private static final int FINISHED_MAX = 12_500;

  /** How long a node may be gone. */
  private static final Duration QUARANTINE = Duration.ofSeconds(40);

  /** A pod that is younger may be on a node that is not known here yet. */
  private static final Duration POD_YOUNG = Duration.ofSeconds(5);

  private static final Index<ObjectNode> BY_NODE = Indexes.node();

  private final int finishedMax;

  private PodGarbageReconciler(int finishedMax) {
    this.finishedMax = finishedMax;
  }

  public static Controller<ObjectNode> controller() {
    return controller(FINISHED_MAX);
  }

  /**
   * The controller with another limit.
   *
   * @param finishedMax how many pods that have ended are kept
   */
  public static Controller<ObjectNode> controller(int finishedMax) {
    return Controller.of("podgc", Kinds.PODS, new PodGarbageReconciler(finishedMax))
        .indexing(Kinds.PODS, BY_NODE)
        .indexing(Kinds.PODS, FinishedPods.INDEX)
        .watching(Kinds.PODS, (pod, _) -> FinishedPods.concerned(pod))
        .watching(Kinds.NODES, PodGarbageReconciler::podsOn);
  }

  /** The pods of a node that cannot end them. */
  private static Collection<Key> podsOn(Cached<ObjectNode> node, View view) {
    Cached<ObjectNode> now = view.find(Kinds.NODES, "", node.name());
    if (now != null && !isOutOfService(now.tree())) {
      return List.of();
    }
    return view.by(Kinds.PODS, BY_NODE, node.name()).stream()
        .map(pod -> new Key(pod.namespace(), pod.name()))
        .toList();
  }

  private static boolean isOutOfService(ObjectNode node) {
    if (Conditions.isTrue(Conditions.of(node, "Ready"))) {
      return false;
    }
    for (JsonNode taint : node.path("spec").path("taints")) {
      if (Meta.text(taint.path("key")).equals(OUT_OF_SERVICE)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Plan gone(String namespace, String name, View view) {
    return FinishedPods.isAll(namespace, name)
        ? FinishedPods.keep(finishedMax, view)
        : Plan.empty();
  }

  @Override
  public boolean concerns(Cached<ObjectNode> pod, View view) {
    String node = pod.text("spec", "nodeName");
    return !pod.text("metadata", "deletionTimestamp").isEmpty()
        || (!node.isEmpty()
            && (view.find(Kinds.NODES, "", node) == null || pod.mentions(NODE_GONE)));
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    ObjectNode pod = object.tree();
    Plan plan = Plan.empty();
    boolean ending = Pods.isEnding(pod);
    String nodeName = Meta.text(pod.path("spec").path("nodeName"));
    if (nodeName.isEmpty()) {
      if (ending) {
        end(object, pod, null, "it is to end, and no node ever had it", view, plan);
      }
      return plan;
    }
    Cached<ObjectNode> node = view.find(Kinds.NODES, "", nodeName);
    if (node == null) {
      nodeIsGone(object, pod, nodeName, view, plan);
    } else if (ending && isOutOfService(node.tree())) {
      end(
          object,
          pod,
          null,
          "it is to end, and node " + nodeName + " is out of service",
          view,
          plan);
    } else if (Conditions.of(pod, NODE_GONE).isObject()) {
      ObjectNode status = JsonNodeFactory.instance.objectNode();
      status.set("conditions", Conditions.without(pod, NODE_GONE));
      plan.status(object, status, "node " + nodeName + " is back");
    }
    return plan;
  }

  private static void nodeIsGone(
      Cached<ObjectNode> seen, ObjectNode pod, String node, View view, Plan plan) {
    Duration young = Duration.between(view.now(), placed(pod).plus(POD_YOUNG));
    if (young.isPositive()) {
      plan.lookAgain(young, "node " + node + " is not known yet");
      return;
    }
    Instant since = Conditions.since(Conditions.of(pod, NODE_GONE));
    if (since == null) {
      ObjectNode condition = condition(NODE_GONE, "NodeNotFound", "node " + node + " is gone");
      ObjectNode status = JsonNodeFactory.instance.objectNode();
      status.set("conditions", Conditions.with(pod, condition, view.now()));
      plan.status(seen, status, "node " + node + " is gone, and may come back");
      plan.lookAgain(QUARANTINE, "node " + node + " may have come back");
      return;
    }
    Duration left = Duration.between(view.now(), since.plus(QUARANTINE));
    if (left.isPositive()) {
      plan.lookAgain(left, "node " + node + " may have come back");
      return;
    }
    end(
        seen,
        pod,
        condition(
            StaleDisruptionReconciler.DISRUPTION_TARGET,
            "DeletionByPodGC",
            "PodGC: node no longer exists"),
        "node " + node + " has been gone for " + QUARANTINE.toSeconds() + " seconds",
        view,
        plan);
  }

  /** When it came to its node, at the latest. */
  private static Instant placed(ObjectNode pod) {
    Instant placed = Conditions.since(Conditions.of(pod, "PodScheduled"));
    Instant created = Pods.time(pod.path("metadata").path("creationTimestamp"));
    if (placed == null || (created != null && created.isAfter(placed))) {
      return created == null ? Instant.EPOCH : created;
    }
    return placed;
  }

  private static ObjectNode condition(String type, String reason, String message) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", type)
        .put("status", "True")
        .put("reason", reason)
        .put("message", message);
  }

  /** Has a pod be over, and in the next look be gone: nobody is left who could end it. */
  private static void end(
      Cached<ObjectNode> seen,
      ObjectNode pod,
      @Nullable ObjectNode condition,
      String because,
      View view,
      Plan plan) {
    String phase = Pods.phase(pod);
    if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
      ObjectNode status = JsonNodeFactory.instance.objectNode();
      status.put("phase", "Failed");
      if (condition != null) {
        status.set("conditions", Conditions.with(pod, condition, view.now()));
      }
      plan.status(seen, status, because);
      return;
    }
    boolean held =
        Pods.isEnding(pod)
            && pod.path("metadata").path("deletionGracePeriodSeconds").asLong(0) == 0;
    if (!held) {
      plan.deleteAtOnce(seen, because);
    }
  }
}
