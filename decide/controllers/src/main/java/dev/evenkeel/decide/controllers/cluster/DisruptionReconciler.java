package dev.evenkeel.decide.controllers.cluster;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.controllers.object.Selecting;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Counts for each disruption budget how many of its pods are healthy and how many may be taken
 * away. The server takes from that number when pods are evicted.
 */
public final class DisruptionReconciler implements Reconciler<ObjectNode> {

  /** A pod that was let go and is still there after this long is not going. */
  private static final Duration DELETION_TIMEOUT = Duration.ofMinutes(2);

  private static final String ALLOWED = "DisruptionAllowed";

  public static Controller<ObjectNode> controller() {
    return Controller.of("disruption", Kinds.DISRUPTION_BUDGETS, new DisruptionReconciler())
        .watching(Kinds.PODS, (pod, view) -> budgets(pod, pod.labels(), view))
        .watching(Kinds.REPLICA_SETS, DisruptionReconciler::budgetsOfTemplate)
        .watching(Kinds.DEPLOYMENTS, DisruptionReconciler::budgetsOfTemplate)
        .watching(Kinds.STATEFUL_SETS, DisruptionReconciler::budgetsOfTemplate)
        .watching(Kinds.REPLICATION_CONTROLLERS, DisruptionReconciler::budgetsOfTemplate);
  }

  private static Collection<Key> budgetsOfTemplate(Cached<ObjectNode> owner, View view) {
    JsonNode template = owner.tree().path("spec").path("template");
    return budgets(owner, Meta.strings(template.path("metadata").path("labels")), view);
  }

  private static Collection<Key> budgets(
      Cached<ObjectNode> object, Map<String, String> labels, View view) {
    List<Key> budgets = new ArrayList<>();
    for (Cached<ObjectNode> budget : view.list(Kinds.DISRUPTION_BUDGETS, object.namespace())) {
      LabelSelector selector = Selecting.selector(budget.tree());
      if (selector != null && selector.matches(labels)) {
        budgets.add(new Key(budget.namespace(), budget.name()));
      }
    }
    return budgets;
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    ObjectNode budget = object.tree();
    Plan plan = Plan.empty();
    LabelSelector selector = Selecting.selector(budget);
    if (selector == null) {
      return fail(object, budget, "NoPods", "its selector cannot be read", view, plan);
    }
    List<Cached<ObjectNode>> pods = new ArrayList<>();
    for (Cached<ObjectNode> pod : view.list(Kinds.PODS, object.namespace())) {
      if (selector.matches(pod.labels())) {
        pods.add(pod);
      }
    }
    DisruptionTerms terms = DisruptionTerms.of(budget.path("spec"), pods, view);
    if (terms.failure() != null) {
      return fail(object, budget, "CalculateExpectedPodCountFailed", terms.failure(), view, plan);
    }
    count(object, budget, pods, terms, view, plan);
    return plan;
  }

  private static void count(
      Cached<ObjectNode> seen,
      ObjectNode budget,
      List<Cached<ObjectNode>> pods,
      DisruptionTerms terms,
      View view,
      Plan plan) {
    ObjectNode disrupted = forgetting(budget);
    long healthy = 0;
    for (Cached<ObjectNode> known : pods) {
      ObjectNode pod = known.tree();
      if (Pods.isEnding(pod)) {
        continue;
      }
      JsonNode at = budget.path("status").path("disruptedPods").path(known.name());
      Duration left = left(at, view.now());
      if (left.isPositive()) {
        disrupted.set(known.name(), at);
        plan.lookAgain(left, known.name() + " should have been gone by then");
      } else if (Pods.readySince(pod) != null) {
        healthy++;
      }
    }
    long allowed = terms.expected() <= 0 ? 0 : Math.max(0, healthy - terms.desiredHealthy());
    long generation = budget.path("metadata").path("generation").asLong(0);
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("currentHealthy", healthy).put("desiredHealthy", terms.desiredHealthy());
    status.put("expectedPods", terms.expected()).put("disruptionsAllowed", allowed);
    status.put("observedGeneration", generation);
    boolean none = disrupted.properties().stream().allMatch(it -> it.getValue().isNull());
    status.set("disruptedPods", none ? JsonNodeFactory.instance.nullNode() : disrupted);
    status.set(
        "conditions",
        Conditions.with(
            budget,
            condition(
                allowed > 0, allowed > 0 ? "SufficientPods" : "InsufficientPods", "", generation),
            view.now()));
    plan.status(
        seen,
        status,
        "%d pods are healthy where %d must be, so %d may be taken away"
            .formatted(healthy, terms.desiredHealthy(), allowed));
    if (!plan.actions().isEmpty()) {
      tell(pods, terms, budget, plan);
    }
  }

  /** All that were let go as forgotten, to which those are added that are not. */
  private static ObjectNode forgetting(ObjectNode budget) {
    ObjectNode disrupted = JsonNodeFactory.instance.objectNode();
    JsonNode known = budget.path("status").path("disruptedPods");
    known.propertyNames().forEach(disrupted::putNull);
    return disrupted;
  }

  /** How long a pod that was let go then may still be there. */
  private static Duration left(JsonNode at, Instant now) {
    Instant letGo = Pods.time(at);
    return letGo == null ? Duration.ZERO : Duration.between(now, letGo.plus(DELETION_TIMEOUT));
  }

  private static void tell(
      List<Cached<ObjectNode>> pods, DisruptionTerms terms, ObjectNode budget, Plan plan) {
    if (pods.isEmpty()) {
      plan.tell(PlannedEvent.Type.NORMAL, "NoPods", "No matching pods found");
    }
    if (!terms.unmanaged().isEmpty()) {
      plan.tell(
          PlannedEvent.Type.WARNING,
          "UnmanagedPods",
          """
          Pods selected by %s belong to no controller (%s), so how many there should be is not \
          known. Give .spec.minAvailable as a number to count them.\
          """
              .formatted(Meta.name(budget), String.join(", ", terms.unmanaged())));
    }
  }

  /** Rather lets none go than one too many. */
  private static Plan fail(
      Cached<ObjectNode> seen,
      ObjectNode budget,
      String reason,
      String failure,
      View view,
      Plan plan) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("disruptionsAllowed", 0);
    long generation = budget.path("status").path("observedGeneration").asLong(0);
    status.set(
        "conditions",
        Conditions.with(budget, condition(false, "SyncFailed", failure, generation), view.now()));
    plan.status(seen, status, "how many pods may be taken away cannot be known: " + failure);
    if (!plan.actions().isEmpty()) {
      plan.tell(
          PlannedEvent.Type.WARNING,
          reason,
          "Failed to calculate the number of expected pods: " + failure);
    }
    return plan;
  }

  private static ObjectNode condition(
      boolean allowed, String reason, String message, long generation) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", ALLOWED)
        .put("status", allowed ? "True" : "False")
        .put("observedGeneration", generation)
        .put("reason", reason)
        .put("message", message);
  }
}
