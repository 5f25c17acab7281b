package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** On which nodes a pod's author lets it run, and how a pod is meant for one of them. */
final class NodeAffinity {

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String NAME_FIELD = "metadata.name";

  private NodeAffinity() {}

  /** Whether a node is one of those that a pod's selector and required affinity name. */
  static boolean matches(JsonNode podSpec, String node, Map<String, String> labels) {
    for (Map.Entry<String, String> wanted : Meta.strings(podSpec.path("nodeSelector")).entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    JsonNode required = required(podSpec);
    if (!required.isObject()) {
      return true;
    }
    for (JsonNode term : required.path("nodeSelectorTerms")) {
      if (fits(term, node, labels)) {
        return true;
      }
    }
    return false;
  }

  /** Has a pod be for that node and no other. What its author prefers stays. */
  static void pin(ObjectNode podSpec, String node) {
    ObjectNode required = child(child(child(podSpec, "affinity"), "nodeAffinity"), REQUIRED);
    ObjectNode requirement =
        required.putArray("nodeSelectorTerms").addObject().putArray("matchFields").addObject();
    requirement.put("key", NAME_FIELD).put("operator", "In").putArray("values").add(node);
  }

  /** The node that a pod is on or is meant for; empty if none is named. */
  static String target(JsonNode podSpec) {
    String assigned = Meta.text(podSpec.path("nodeName"));
    if (!assigned.isEmpty()) {
      return assigned;
    }
    for (JsonNode term : required(podSpec).path("nodeSelectorTerms")) {
      for (JsonNode field : term.path("matchFields")) {
        if (Meta.text(field.path("key")).equals(NAME_FIELD)
            && Meta.text(field.path("operator")).equals("In")
            && field.path("values").size() == 1) {
          return Meta.text(field.path("values").path(0));
        }
      }
    }
    return "";
  }

  private static JsonNode required(JsonNode podSpec) {
    return podSpec.path("affinity").path("nodeAffinity").path(REQUIRED);
  }

  private static boolean fits(JsonNode term, String node, Map<String, String> labels) {
    if (term.path("matchExpressions").isEmpty() && term.path("matchFields").isEmpty()) {
      return false;
    }
    for (JsonNode requirement : term.path("matchExpressions")) {
      if (!fits(requirement, labels.get(Meta.text(requirement.path("key"))))) {
        return false;
      }
    }
    for (JsonNode requirement : term.path("matchFields")) {
      boolean named = Meta.text(requirement.path("key")).equals(NAME_FIELD);
      if (!fits(requirement, named ? node : null)) {
        return false;
      }
    }
    return true;
  }

  private static boolean fits(JsonNode requirement, @Nullable String value) {
    List<String> values = new ArrayList<>();
    requirement.path("values").forEach(it -> values.add(Meta.text(it)));
    return switch (Meta.text(requirement.path("operator"))) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      case "Gt" -> compared(value, values) > 0;
      case "Lt" -> compared(value, values) < 0;
      default -> false;
    };
  }

  /** How a label compares with the one number that it is to be compared with; 0 if it cannot be. */
  private static int compared(@Nullable String value, List<String> values) {
    if (value == null || values.size() != 1) {
      return 0;
    }
    try {
      return Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static ObjectNode child(ObjectNode parent, String field) {
    return parent.get(field) instanceof ObjectNode known ? known : parent.putObject(field);
  }
}
