package dev.evenkeel.serve.kinds.rules.check;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Labels, and selectors of them. */
public final class Selectors {

  private Selectors() {}

  /** Every key a qualified name, every value a label's. Faults are told of the map as a whole. */
  public static void labels(Place map) {
    map.stringMap()
        .forEach(
            (key, value) -> {
              for (String fault : Names.qualifiedName(key)) {
                map.invalid(key, fault);
              }
              for (String fault : Names.labelValue(value)) {
                map.invalid(value, fault);
              }
            });
  }

  /** A label selector; nothing to say if there is none. */
  public static void validate(Place selector) {
    labels(selector.at("matchLabels"));
    for (Place requirement : selector.at("matchExpressions").items()) {
      Place values = requirement.at("values");
      switch (requirement.at("operator").text()) {
        case "In", "NotIn" -> {
          if (values.isEmpty()) {
            values.required("must be specified when `operator` is 'In' or 'NotIn'");
          }
        }
        case "Exists", "DoesNotExist" -> {
          if (!values.isEmpty()) {
            values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
          }
        }
        default -> requirement.at("operator").invalid("not a valid selector operator");
      }
      Place key = requirement.at("key");
      key.invalid(Names.qualifiedName(key.text()));
      for (Place value : values.items()) {
        value.invalid(Names.labelValue(value.text()));
      }
    }
  }

  /**
   * Whether it can be said what a selector selects: keys, operators and values are as they must.
   */
  public static boolean isWellFormed(JsonNode selector) {
    var problems = new Problems();
    validate(Place.of("", selector, problems));
    return problems.isEmpty();
  }

  /** Whether a selector selects by nothing at all. */
  public static boolean isEmpty(JsonNode selector) {
    return selector.path("matchLabels").isEmpty() && selector.path("matchExpressions").isEmpty();
  }

  /** Whether a well-formed selector, which must be there, selects these labels. */
  public static boolean matches(JsonNode selector, Map<String, String> labels) {
    for (Map.Entry<String, String> wanted : Meta.strings(selector.path("matchLabels")).entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    for (JsonNode requirement : selector.path("matchExpressions")) {
      if (!matchesRequirement(requirement, labels)) {
        return false;
      }
    }
    return true;
  }

  private static boolean matchesRequirement(JsonNode requirement, Map<String, String> labels) {
    String value = labels.get(Meta.text(requirement.path("key")));
    List<String> values = requirement.path("values").valueStream().map(Meta::text).toList();
    return switch (Meta.text(requirement.path("operator"))) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> false;
    };
  }
}
