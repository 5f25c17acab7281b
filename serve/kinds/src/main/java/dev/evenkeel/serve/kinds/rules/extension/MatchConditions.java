package dev.evenkeel.serve.kinds.rules.extension;

import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.policy.PolicyReader;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Conditions on the requests that a webhook or a policy is about. */
final class MatchConditions {

  private static final int CONDITIONS_MAX = 64;

  private MatchConditions() {}

  /**
   * Whether they have names and expressions, condition by condition.
   *
   * @param compiling told at each expression, so that what does not compile stands in its place
   */
  static void validate(Place conditions, Consumer<Place> compiling) {
    if (conditions.size() > CONDITIONS_MAX) {
      conditions.tooMany(CONDITIONS_MAX);
    }
    Set<String> names = new HashSet<>();
    for (Place condition : conditions.items()) {
      Place expression = condition.at("expression");
      if (expression.text().isBlank() && !expression.isEmpty()) {
        expression.required();
      }
      compiling.accept(expression);
      Place name = condition.at("name");
      if (!name.isEmpty()) {
        name.invalid(Names.qualifiedName(name.text()));
        if (!names.add(name.text())) {
          name.duplicate();
        }
      }
    }
  }

  /** Tells at an expression what is wrong with it. */
  static Consumer<Place> telling(Problems faults) {
    return expression -> {
      for (FieldError fault : faults.errors()) {
        if (fault.field().equals(expression.toString())) {
          expression.problems().add(fault.reason(), fault.field(), fault.message());
        }
      }
    };
  }

  /** The same, and the expressions can be compiled. */
  static void validateAndCompile(Place conditions) {
    var faults = new Problems();
    if (!conditions.isEmpty() && conditions.size() <= CONDITIONS_MAX) {
      PolicyReader.checkConditions(conditions.node(), conditions.toString(), faults);
    }
    validate(conditions, telling(faults));
  }
}
