package dev.evenkeel.serve.kinds.rules.placement;

import dev.evenkeel.kernel.api.Meta;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Terms that select pods "with the same value as mine" name keys; when the pod is made the values
 * are known, and the keys become part of the selector.
 */
public final class LabelKeys {

  private static final List<String> AFFINITIES = List.of("podAffinity", "podAntiAffinity");

  private LabelKeys() {}

  public static void applyTo(ObjectNode pod) {
    Map<String, String> labels = Meta.labels(pod);
    JsonNode spec = pod.path("spec");
    for (String affinity : AFFINITIES) {
      JsonNode terms = spec.path("affinity").path(affinity);
      for (JsonNode term : terms.path("requiredDuringSchedulingIgnoredDuringExecution")) {
        apply(term, labels);
      }
      for (JsonNode term : terms.path("preferredDuringSchedulingIgnoredDuringExecution")) {
        apply(term.path("podAffinityTerm"), labels);
      }
    }
    for (JsonNode constraint : spec.path("topologySpreadConstraints")) {
      apply(constraint, labels);
    }
  }

  private static void apply(JsonNode term, Map<String, String> labels) {
    if (term.path("labelSelector") instanceof ObjectNode selector) {
      apply(selector, term.path("matchLabelKeys"), "In", labels);
      apply(selector, term.path("mismatchLabelKeys"), "NotIn", labels);
    }
  }

  private static void apply(
      ObjectNode selector, JsonNode keys, String operator, Map<String, String> labels) {
    for (JsonNode key : keys) {
      String value = labels.get(Meta.text(key));
      if (value != null) {
        ArrayNode expressions =
            selector.path("matchExpressions") instanceof ArrayNode there
                ? there
                : selector.putArray("matchExpressions");
        ObjectNode expression = expressions.addObject();
        expression.put("key", Meta.text(key)).put("operator", operator);
        expression.putArray("values").add(value);
      }
    }
  }
}
