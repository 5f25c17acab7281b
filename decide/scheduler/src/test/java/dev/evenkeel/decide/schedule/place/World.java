package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.model.Budget;
import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A cluster as plain maps, for the reference. */
final class World {

  /** A pod on a node. */
  record On(PodInfo pod, String node) {}

  final Map<String, NodeInfo> nodes = new TreeMap<>();
  final Map<String, On> pods = new LinkedHashMap<>();
  final Map<String, On> nominated = new LinkedHashMap<>();
  final Map<String, Map<String, String>> namespaces = new TreeMap<>();
  final Map<String, Budget> budgets = new TreeMap<>();
  final Map<String, Map<String, String>> services = new TreeMap<>();

  /** Those on nodes that are known. */
  List<On> bound() {
    List<On> bound = new ArrayList<>();
    pods.values().stream().filter(on -> nodes.containsKey(on.node())).forEach(bound::add);
    return bound;
  }

  Map<String, String> namespaceLabels(String namespace) {
    return namespaces.getOrDefault(namespace, Map.of());
  }

  /** All services that select the pod, as one selector's requirements; empty if none does. */
  List<LabelSelector> servicesOf(PodInfo pod) {
    List<LabelSelector> selectors = new ArrayList<>();
    services.forEach(
        (key, labels) -> {
          if (key.startsWith(pod.namespace() + "/")
              && !labels.isEmpty()
              && pod.labels().entrySet().containsAll(labels.entrySet())) {
            selectors.add(LabelSelector.ofLabels(labels));
          }
        });
    return selectors;
  }
}
