package dev.evenkeel.decide.controllers.network;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.patch.MergePatch;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says in the Endpoints of each service where its pods are reached. Services that select no pods
 * are left to those who know better.
 */
public final class EndpointsReconciler implements Reconciler<ObjectNode> {

  /** Beyond this a service's users must read its slices; upstream's limit. */
  private static final int ADDRESSES_MAX = 1_000;

  private static final String OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity";
  private static final String MANAGED_BY = "endpoints.kubernetes.io/managed-by";
  private static final String MANAGER = "endpoint-controller";

  public static Controller<ObjectNode> controller() {
    return Controller.of("endpoints", Kinds.SERVICES, new EndpointsReconciler())
        .indexing(Kinds.SERVICES, ServiceSelection.BY_LABEL)
        .watching(Kinds.PODS, ServiceSelection::servicesOf)
        .watching(Kinds.ENDPOINTS, EndpointsReconciler::serviceOf);
  }

  /**
   * Those that nobody has a service for yet may have been made first, by whom they belong to; only
   * left-overs of our own are looked at.
   */
  private static Collection<Key> serviceOf(Cached<ObjectNode> endpoints, View view) {
    boolean looked =
        MANAGER.equals(endpoints.labels().get(MANAGED_BY))
            || view.find(Kinds.SERVICES, endpoints.namespace(), endpoints.name()) != null;
    return looked ? List.of(new Key(endpoints.namespace(), endpoints.name())) : List.of();
  }

  @Override
  public Plan gone(String namespace, String name, View view) {
    Plan plan = Plan.empty();
    Cached<ObjectNode> left = view.find(Kinds.ENDPOINTS, namespace, name);
    if (left != null) {
      plan.delete(left, "the service " + name + " is gone");
    }
    return plan;
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    ObjectNode service = object.tree();
    Plan plan = Plan.empty();
    Map<String, String> selector = ServiceSelection.selector(service);
    if (selector.isEmpty()) {
      return plan;
    }
    List<ServicePod> pods = ServiceSelection.podsOf(object, selector, view);
    List<Subset> subsets = Subsets.of(object, service, pods);
    boolean tooMany = Subset.addresses(subsets) > ADDRESSES_MAX;
    ArrayNode wanted = Subset.json(tooMany ? Subset.truncated(subsets, ADDRESSES_MAX) : subsets);
    Map<String, String> labels =
        Labelled.labels(
            object.labels(), ServicePorts.isHeadless(service), Map.of(MANAGED_BY, MANAGER));
    Cached<ObjectNode> current = view.find(Kinds.ENDPOINTS, object.namespace(), object.name());
    if (current != null) {
      change(current, labels, wanted, tooMany, pods, plan);
    } else if (!Pods.isEnding(service)) {
      create(object, labels, wanted, tooMany, plan);
    }
    return plan;
  }

  private static void create(
      Cached<ObjectNode> service,
      Map<String, String> labels,
      ArrayNode subsets,
      boolean tooMany,
      Plan plan) {
    ObjectNode made = JsonNodeFactory.instance.objectNode();
    made.put("apiVersion", "v1").put("kind", "Endpoints");
    ObjectNode metadata = made.putObject("metadata");
    metadata.put("name", service.name()).put("namespace", service.namespace());
    labels.forEach(metadata.putObject("labels")::put);
    Labelled.annotate(
        made, made, Readiness.TRIGGER_TIME, service.text("metadata", "creationTimestamp"));
    Labelled.annotate(made, made, OVER_CAPACITY, tooMany ? "truncated" : null);
    if (!subsets.isEmpty()) {
      made.set("subsets", subsets);
    }
    plan.create(Kinds.ENDPOINTS, made, "the service " + service.name() + " has no endpoints yet");
  }

  private static void change(
      Cached<ObjectNode> seen,
      Map<String, String> labels,
      ArrayNode subsets,
      boolean tooMany,
      List<ServicePod> pods,
      Plan plan) {
    ObjectNode current = seen.tree();
    ObjectNode wanted = JsonNodeFactory.instance.objectNode();
    wanted.putObject("metadata").set("labels", Labelled.change(labels, seen.labels().keySet()));
    wanted.set("subsets", subsets.isEmpty() ? JsonNodeFactory.instance.nullNode() : subsets);
    ObjectNode change = MergePatch.setting(current, wanted);
    Labelled.annotate(change, current, OVER_CAPACITY, tooMany ? "truncated" : null);
    if (change.isEmpty()) {
      return;
    }
    Labelled.annotate(
        change,
        current,
        Readiness.TRIGGER_TIME,
        Readiness.triggered(
            Readiness.ofSubsets(current.path("subsets")), Readiness.ofSubsets(subsets), pods));
    plan.patch(
        seen,
        change,
        change.has("subsets")
            ? "the service's pods, their readiness or its ports have changed"
            : "its labels are not those of its service");
  }
}
