package dev.evenkeel.decide.schedule.model;

import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.Map;

/**
 * Pods that another pod wants near or apart: on nodes with the same value of a label.
 *
 * @param topologyKey the label of nodes
 * @param scope in which namespaces
 * @param selector which pods there
 */
public record PodTerm(String topologyKey, NamespaceScope scope, LabelSelector selector) {

  /** A term and what it is worth; below zero if apart is better. */
  public record Weighted(int weight, PodTerm term) {}

  /**
   * @param namespaceLabels of the pod's namespace
   */
  public boolean matches(PodInfo pod, Map<String, String> namespaceLabels) {
    return scope.includes(pod.namespace(), namespaceLabels) && selector.matches(pod.labels());
  }
}
