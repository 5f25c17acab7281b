package dev.evenkeel.decide.schedule.model;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Reads what a pod asks of other pods: where they are, and how many. */
final class TermReader {

  private final String namespace;
  private final Map<String, String> labels;

  TermReader(String namespace, Map<String, String> labels) {
    this.namespace = namespace;
    this.labels = labels;
  }

  List<SpreadConstraint> constraints(JsonNode spec) {
    List<SpreadConstraint> constraints = new ArrayList<>(0);
    for (JsonNode constraint : spec.path("topologySpreadConstraints")) {
      LabelSelector selector = selector(constraint.path("labelSelector"));
      selector = narrowed(selector, constraint.path("matchLabelKeys"), "=");
      constraints.add(
          new SpreadConstraint(
              Meta.text(constraint.path("topologyKey")),
              constraint.path("maxSkew").asInt(1),
              !Meta.text(constraint.path("whenUnsatisfiable")).equals("ScheduleAnyway"),
              selector,
              constraint.path("minDomains").asInt(1),
              !Meta.text(constraint.path("nodeAffinityPolicy")).equals("Ignore"),
              Meta.text(constraint.path("nodeTaintsPolicy")).equals("Honor")));
    }
    return constraints;
  }

  PodTerms terms(JsonNode affinity) {
    JsonNode near = affinity.path("podAffinity");
    JsonNode apart = affinity.path("podAntiAffinity");
    if (near.isMissingNode() && apart.isMissingNode()) {
      return PodTerms.NONE;
    }
    List<PodTerm.Weighted> preferred = new ArrayList<>(0);
    addPreferred(preferred, near, 1);
    addPreferred(preferred, apart, -1);
    return new PodTerms(required(near), required(apart), preferred);
  }

  private List<PodTerm> required(JsonNode affinity) {
    List<PodTerm> terms = new ArrayList<>(0);
    affinity
        .path("requiredDuringSchedulingIgnoredDuringExecution")
        .forEach(term -> terms.add(term(term)));
    return terms;
  }

  private void addPreferred(List<PodTerm.Weighted> preferred, JsonNode affinity, int sign) {
    for (JsonNode entry : affinity.path("preferredDuringSchedulingIgnoredDuringExecution")) {
      int weight = entry.path("weight").asInt(0);
      if (weight != 0) {
        preferred.add(new PodTerm.Weighted(sign * weight, term(entry.path("podAffinityTerm"))));
      }
    }
  }

  private PodTerm term(JsonNode term) {
    List<String> namespaces = new ArrayList<>(0);
    term.path("namespaces").forEach(name -> namespaces.add(Meta.text(name)));
    LabelSelector ofNamespaces = selector(term.path("namespaceSelector"));
    if (namespaces.isEmpty() && !term.path("namespaceSelector").isObject()) {
      namespaces.add(namespace);
    }
    LabelSelector selector = selector(term.path("labelSelector"));
    selector = narrowed(selector, term.path("matchLabelKeys"), "=");
    selector = narrowed(selector, term.path("mismatchLabelKeys"), "!=");
    return new PodTerm(
        Meta.text(term.path("topologyKey")),
        new NamespaceScope(namespaces, ofNamespaces),
        selector);
  }

  /** A selector that servers would have refused selects nothing. */
  static LabelSelector selector(JsonNode json) {
    try {
      return LabelSelector.fromJson(json);
    } catch (ApiException e) {
      return LabelSelector.NOTHING;
    }
  }

  static LabelSelector selectorOf(Map<String, String> labels) {
    try {
      return LabelSelector.ofLabels(labels);
    } catch (ApiException e) {
      return LabelSelector.NOTHING;
    }
  }

  /**
   * With the pod's own values of these labels. A server may have written them into the selector
   * already: saying so twice changes nothing.
   */
  private LabelSelector narrowed(LabelSelector selector, JsonNode keys, String operator) {
    if (keys.isEmpty() || selector.equals(LabelSelector.NOTHING)) {
      return selector;
    }
    var text = new StringBuilder(selector.toString());
    for (JsonNode key : keys) {
      String value = labels.get(Meta.text(key));
      if (value != null) {
        text.append(text.isEmpty() ? "" : ",")
            .append(Meta.text(key))
            .append(operator)
            .append(value);
      }
    }
    try {
      return LabelSelector.parse(text.toString());
    } catch (ApiException e) {
      return LabelSelector.NOTHING;
    }
  }
}
