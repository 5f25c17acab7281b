package dev.evenkeel.decide.controllers.network;

import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which pods a service selects, and which services select a pod. */
final class ServiceSelection {

  /**
   * Services by one label that they ask for. A pod's services are found under the pod's own labels,
   * so that a change of a pod costs the same however many services there are.
   */
  static final Index<ObjectNode> BY_LABEL =
      new Index<>(
          "selected-label",
          service -> {
            Map<String, String> selector = selector(service.tree());
            return selector.isEmpty()
                ? List.of()
                : List.of(
                    label(
                        service.namespace(),
                        Collections.min(selector.entrySet(), Map.Entry.comparingByKey())));
          });

  private ServiceSelection() {}

  private static String label(String namespace, Map.Entry<String, String> label) {
    return namespace + "/" + label.getKey() + "=" + label.getValue();
  }

  /** The labels that its pods have; empty if others say where it is reached. */
  static Map<String, String> selector(JsonNode service) {
    JsonNode spec = service.path("spec");
    return Meta.text(spec.path("type")).equals("ExternalName")
        ? Map.of()
        : Meta.strings(spec.path("selector"));
  }

  static Collection<Key> servicesOf(Cached<ObjectNode> pod, View view) {
    Set<Key> services = new LinkedHashSet<>();
    for (Map.Entry<String, String> label : pod.labels().entrySet()) {
      for (Cached<ObjectNode> service :
          view.by(Kinds.SERVICES, BY_LABEL, label(pod.namespace(), label))) {
        if (selects(selector(service.tree()), pod)) {
          services.add(new Key(service.namespace(), service.name()));
        }
      }
    }
    return services;
  }

  static List<ServicePod> podsOf(
      Cached<ObjectNode> service, Map<String, String> selector, View view) {
    List<ServicePod> pods = new ArrayList<>();
    for (Cached<ObjectNode> pod : view.list(Kinds.PODS, service.namespace())) {
      if (selects(selector, pod)) {
        pods.add(new ServicePod(pod, pod.tree()));
      }
    }
    return pods;
  }

  private static boolean selects(Map<String, String> selector, Cached<ObjectNode> pod) {
    return !selector.isEmpty() && pod.labels().entrySet().containsAll(selector.entrySet());
  }
}
