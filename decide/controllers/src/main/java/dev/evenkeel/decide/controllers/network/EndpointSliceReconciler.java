package dev.evenkeel.decide.controllers.network;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.cache.Indexes;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says in slices where the pods of each service are reached. Unlike Endpoints they hold any number
 * of pods, and a pod that changes costs its users one slice and not the whole list.
 */
public final class EndpointSliceReconciler implements Reconciler<ObjectNode> {

  static final String SERVICE_NAME = "kubernetes.io/service-name";
  static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
  static final String MANAGER = "endpointslice-controller.k8s.io";

  private static final int ENDPOINTS_PER_SLICE_MAX = 100;

  /** A node that is older has been seen by all who wait for it. */
  private static final Duration NODE_YOUNG = Duration.ofMinutes(2);

  private static final Duration NODE_MISSING_CHECK = Duration.ofSeconds(30);

  private static final Index<ObjectNode> BY_SERVICE = Indexes.label("service-name", SERVICE_NAME);
  private static final Index<ObjectNode> BY_NODE = Indexes.node();

  private final int endpointsMax;

  private EndpointSliceReconciler(int endpointsMax) {
    this.endpointsMax = endpointsMax;
  }

  public static Controller<ObjectNode> controller() {
    return controller(ENDPOINTS_PER_SLICE_MAX);
  }

  /**
   * The controller with slices of another size.
   *
   * @param endpointsPerSliceMax how many endpoints a slice holds at most
   */
  public static Controller<ObjectNode> controller(int endpointsPerSliceMax) {
    return Controller.of(
            "endpointslice", Kinds.SERVICES, new EndpointSliceReconciler(endpointsPerSliceMax))
        .indexing(Kinds.SERVICES, ServiceSelection.BY_LABEL)
        .indexing(Kinds.ENDPOINT_SLICES, BY_SERVICE)
        .indexing(Kinds.PODS, BY_NODE)
        .owning(Kinds.ENDPOINT_SLICES)
        .watching(Kinds.PODS, ServiceSelection::servicesOf)
        .watching(Kinds.NODES, EndpointSliceReconciler::servicesOn);
  }

  /**
   * The services of the pods on a node that has just come or gone. Nodes change all the time, and
   * nothing else about them matters here.
   */
  private static Collection<Key> servicesOn(Cached<ObjectNode> node, View view) {
    Instant created = Pods.time(node.tree().path("metadata").path("creationTimestamp"));
    boolean gone = view.find(Kinds.NODES, "", node.name()) == null;
    if (!gone && created != null && created.plus(NODE_YOUNG).isBefore(view.now())) {
      return List.of();
    }
    Set<Key> services = new LinkedHashSet<>();
    for (Cached<ObjectNode> pod : view.by(Kinds.PODS, BY_NODE, node.name())) {
      services.addAll(ServiceSelection.servicesOf(pod, view));
    }
    return services;
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
    var slices = new ServiceSlices(object, service, pods, endpointsMax);
    for (Cached<ObjectNode> slice : view.by(Kinds.ENDPOINT_SLICES, BY_SERVICE, object.name())) {
      if (slice.namespace().equals(object.namespace())
          && MANAGER.equals(slice.labels().get(MANAGED_BY))
          && !Pods.isEnding(slice.tree())) {
        slices.addSlice(slice);
      }
    }
    boolean publishAll = service.path("spec").path("publishNotReadyAddresses").asBoolean(false);
    for (ServicePod pod : pods) {
      if (!pod.isReachable()) {
        continue;
      }
      Cached<ObjectNode> node =
          pod.node().isEmpty() ? null : view.find(Kinds.NODES, "", pod.node());
      boolean nodeIsMissing = node == null && !pod.node().isEmpty();
      if (!nodeIsMissing || publishAll) {
        slices.addPod(pod, node);
      }
      if (nodeIsMissing) {
        // It may come to be known late, when nobody is told of it as new any more.
        plan.lookAgain(
            NODE_MISSING_CHECK, pod.name() + " is on node " + pod.node() + ", which is not there");
      }
    }
    slices.plan(plan);
    return plan;
  }
}
