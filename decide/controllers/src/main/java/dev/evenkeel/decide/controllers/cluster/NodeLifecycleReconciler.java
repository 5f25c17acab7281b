package dev.evenkeel.decide.controllers.cluster;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says of a node that has been silent that nobody knows how it is, and has its taints say to
 * schedulers what its conditions say.
 *
 * <p>A node is heard through its lease and through the heartbeats of its Ready condition. Both are
 * times by the node's own clock: one that is more than the grace behind is taken for silent.
 */
public final class NodeLifecycleReconciler implements Reconciler<ObjectNode> {

  /** Upstream's {@code --node-monitor-grace-period}. */
  private static final Duration GRACE = Duration.ofSeconds(50);

  /** For a node that has never said anything: upstream's {@code --node-startup-grace-period}. */
  private static final Duration STARTUP_GRACE = Duration.ofSeconds(60);

  private static final String LEASES = "kube-node-lease";

  private static final List<String> REPORTED =
      List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");

  private NodeLifecycleReconciler() {}

  public static Controller<ObjectNode> controller() {
    return Controller.of("node-lifecycle-controller", Kinds.NODES, new NodeLifecycleReconciler())
        .reading(Kinds.LEASES)
        .within(Kinds.LEASES, Scope.namespace(LEASES));
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    Plan plan = Plan.empty();
    ObjectNode node = object.tree();
    if (!isSilent(object, node, view, plan) || isUnknown(node)) {
      ObjectNode change = NodeTaints.change(node, view.now());
      NodeTtl.addTo(change, node, view);
      if (!change.isEmpty()) {
        plan.patch(object, change, "taints say what the conditions say");
      }
      return plan;
    }
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.set("conditions", unknown(node, view.now()));
    plan.status(object, status, "the node has said nothing for " + GRACE.toSeconds() + " seconds");
    return plan;
  }

  /** Whether it has been silent for too long; if not, it is looked at again when it would be. */
  private static boolean isSilent(Cached<ObjectNode> seen, ObjectNode node, View view, Plan plan) {
    JsonNode ready = Conditions.of(node, "Ready");
    Instant heard = Pods.time(ready.path("lastHeartbeatTime"));
    Duration grace = GRACE;
    if (!ready.isObject()) {
      heard = Pods.time(node.path("metadata").path("creationTimestamp"));
      grace = STARTUP_GRACE;
    } else if (heard == null) {
      heard = Pods.time(node.path("metadata").path("creationTimestamp"));
    }
    Cached<ObjectNode> lease = view.find(Kinds.LEASES, LEASES, seen.name());
    Instant renewed = lease == null ? null : time(lease.text("spec", "renewTime"));
    if (renewed != null && (heard == null || renewed.isAfter(heard))) {
      heard = renewed;
    }
    Instant until = (heard == null ? view.now() : heard).plus(grace);
    if (view.now().isAfter(until)) {
      return true;
    }
    plan.lookAgain(
        Duration.between(view.now(), until).plusSeconds(1), "the node may have gone silent");
    return false;
  }

  private static @Nullable Instant time(String text) {
    try {
      return text.isEmpty() ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  private static boolean isUnknown(ObjectNode node) {
    for (String type : REPORTED) {
      if (!Meta.text(Conditions.of(node, type).path("status")).equals("Unknown")) {
        return false;
      }
    }
    return true;
  }

  private static ArrayNode unknown(ObjectNode node, Instant now) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (JsonNode condition : node.path("status").path("conditions")) {
      boolean reported = REPORTED.contains(Meta.text(condition.path("type")));
      if (reported
          && !Meta.text(condition.path("status")).equals("Unknown")
          && condition.deepCopy() instanceof ObjectNode changed) {
        changed
            .put("status", "Unknown")
            .put("reason", "NodeStatusUnknown")
            .put("message", "Kubelet stopped posting node status.")
            .put("lastTransitionTime", WireTime.seconds(now));
        all.add(changed);
      } else {
        all.add(condition);
      }
    }
    for (String type : REPORTED) {
      if (!Conditions.of(node, type).isObject()) {
        all.addObject()
            .put("type", type)
            .put("status", "Unknown")
            .put("reason", "NodeStatusNeverUpdated")
            .put("message", "Kubelet never posted node status.")
            .put("lastHeartbeatTime", Meta.text(node.path("metadata").path("creationTimestamp")))
            .put("lastTransitionTime", WireTime.seconds(now));
      }
    }
    return all;
  }
}
