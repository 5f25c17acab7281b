package dev.evenkeel.decide.schedule.model;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what a pod or a volume asks of nodes. */
public final class NodeTermReader {

  private static final String NAME_FIELD = "metadata.name";

  private NodeTermReader() {}

  static NodeSelection selection(JsonNode spec, JsonNode affinity) {
    List<NodeRequirement> selector = new ArrayList<>(0);
    Meta.strings(spec.path("nodeSelector"))
        .forEach(
            (key, value) ->
                selector.add(
                    new NodeRequirement(key, NodeRequirement.Operator.IN, List.of(value))));
    @Nullable List<NodeSelection.Term> terms =
        terms(affinity.path("requiredDuringSchedulingIgnoredDuringExecution"));
    return selector.isEmpty() && terms == null
        ? NodeSelection.ALL
        : new NodeSelection(selector, terms);
  }

  /** The terms of a node selector object; null if there is none. */
  public static @Nullable List<NodeSelection.Term> terms(JsonNode nodeSelector) {
    if (!nodeSelector.isObject()) {
      return null;
    }
    List<NodeSelection.Term> terms = new ArrayList<>(1);
    nodeSelector.path("nodeSelectorTerms").forEach(term -> terms.add(term(term)));
    return terms;
  }

  static List<NodeSelection.Preferred> preferred(JsonNode affinity) {
    List<NodeSelection.Preferred> preferred = new ArrayList<>(0);
    for (JsonNode entry : affinity.path("preferredDuringSchedulingIgnoredDuringExecution")) {
      NodeSelection.Term term = term(entry.path("preference"));
      int weight = entry.path("weight").asInt(0);
      if (weight != 0 && !term.isEmpty()) {
        preferred.add(new NodeSelection.Preferred(weight, term));
      }
    }
    return preferred;
  }

  private static NodeSelection.Term term(JsonNode term) {
    List<NodeRequirement> labels = new ArrayList<>(1);
    term.path("matchExpressions").forEach(expression -> labels.add(requirement(expression)));
    List<NodeRequirement> names = new ArrayList<>(0);
    for (JsonNode field : term.path("matchFields")) {
      NodeRequirement requirement = requirement(field);
      boolean known =
          requirement.key().equals(NAME_FIELD)
              && (requirement.operator() == NodeRequirement.Operator.IN
                  || requirement.operator() == NodeRequirement.Operator.NOT_IN);
      names.add(
          known
              ? requirement
              : new NodeRequirement(
                  requirement.key(), NodeRequirement.Operator.NEVER, requirement.values()));
    }
    return new NodeSelection.Term(labels, names);
  }

  private static NodeRequirement requirement(JsonNode expression) {
    List<String> values = new ArrayList<>(1);
    expression.path("values").forEach(value -> values.add(Meta.text(value)));
    return new NodeRequirement(
        Meta.text(expression.path("key")),
        NodeRequirement.Operator.of(Meta.text(expression.path("operator"))),
        values);
  }
}
