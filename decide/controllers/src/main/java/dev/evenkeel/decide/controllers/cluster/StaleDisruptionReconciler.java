package dev.evenkeel.decide.controllers.cluster;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.time.Instant;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Takes back from pods that they are about to be disrupted, if nobody has ended them after all. */
public final class StaleDisruptionReconciler implements Reconciler<ObjectNode> {

  static final String DISRUPTION_TARGET = "DisruptionTarget";

  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  public static Controller<ObjectNode> controller() {
    return Controller.of("stale-disruption", Kinds.PODS, new StaleDisruptionReconciler());
  }

  @Override
  public boolean concerns(Cached<ObjectNode> pod, View view) {
    return pod.mentions(DISRUPTION_TARGET);
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    ObjectNode pod = object.tree();
    Plan plan = Plan.empty();
    JsonNode condition = Conditions.of(pod, DISRUPTION_TARGET);
    Instant since = Conditions.since(condition);
    boolean byNode = Meta.text(condition.path("reason")).equals("TerminationByKubelet");
    if (!Conditions.isTrue(condition) || byNode || !Pods.isActive(pod)) {
      return plan;
    }
    Duration left =
        since == null ? Duration.ZERO : Duration.between(view.now(), since.plus(TIMEOUT));
    if (left.isPositive()) {
      return plan.lookAgain(left, "the pod should have been ended by then");
    }
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.set(
        "conditions",
        Conditions.with(
            pod,
            JsonNodeFactory.instance
                .objectNode()
                .put("type", DISRUPTION_TARGET)
                .put("status", "False"),
            view.now()));
    return plan.status(object, status, "the pod was to be disrupted, and has not been");
  }
}
