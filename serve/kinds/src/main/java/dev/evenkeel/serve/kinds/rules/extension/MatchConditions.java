package dev.evenkeel.serve.kinds.rules.extension;

import dev.evenkeel.serve.kinds.policy.PolicyReader;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashSet;
import java.util.Set;

/** Conditions on the requests that a webhook or a policy is about. */
final class MatchConditions {

  private static final int CONDITIONS_MAX = 64;

  private MatchConditions() {}

  /** Their names and that there is an expression; not whether it can be compiled. */
  static void validate(Place conditions) {
    if (conditions.size() > CONDITIONS_MAX) {
      conditions.tooMany(CONDITIONS_MAX);
    }
    Set<String> names = new HashSet<>();
    for (Place condition : conditions.items()) {
      Place name = condition.at("name");
      if (!name.isEmpty()) {
        name.invalid(Names.qualifiedName(name.text()));
        if (!names.add(name.text())) {
          name.duplicate();
        }
      }
      if (condition.at("expression").text().isBlank() && !condition.at("expression").isEmpty()) {
        condition.at("expression").required();
      }
    }
  }

  /** The same, and the expressions can be compiled. */
  static void validateAndCompile(Place conditions) {
    validate(conditions);
    if (!conditions.isEmpty() && conditions.size() <= CONDITIONS_MAX) {
      PolicyReader.checkConditions(conditions.node(), conditions.toString(), conditions.problems());
    }
  }
}
