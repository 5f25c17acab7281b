package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Which objects a quota is about.
 *
 * @param scope upstream's word, for example {@code BestEffort}
 * @param operator {@code Exists}, {@code DoesNotExist}, {@code In} or {@code NotIn}
 */
record ScopeRequirement(String scope, String operator, List<String> values) {

  ScopeRequirement {
    values = List.copyOf(values);
  }

  /** All that a quota's spec asks for: every one must hold. */
  static List<ScopeRequirement> of(JsonNode spec) {
    List<ScopeRequirement> all = new ArrayList<>(0);
    for (JsonNode scope : spec.path("scopes")) {
      all.add(new ScopeRequirement(Meta.text(scope), "Exists", List.of()));
    }
    for (JsonNode expression : spec.path("scopeSelector").path("matchExpressions")) {
      List<String> values = new ArrayList<>(0);
      expression.path("values").forEach(value -> values.add(Meta.text(value)));
      all.add(
          new ScopeRequirement(
              Meta.text(expression.path("scopeName")),
              Meta.text(expression.path("operator")),
              values));
    }
    return all;
  }

  /** Whether it holds for something that refers to these classes, none or several. */
  boolean holdsFor(Set<String> names) {
    return switch (operator) {
      case "Exists" -> !names.isEmpty();
      case "DoesNotExist" -> names.isEmpty();
      case "In" -> names.stream().anyMatch(values::contains);
      case "NotIn" -> names.isEmpty() || names.stream().anyMatch(name -> !values.contains(name));
      default -> false;
    };
  }
}
