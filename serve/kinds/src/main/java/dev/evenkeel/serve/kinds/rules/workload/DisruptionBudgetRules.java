package dev.evenkeel.serve.kinds.rules.workload;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import dev.evenkeel.serve.kinds.rules.check.Shares;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Disruption budgets. */
public final class DisruptionBudgetRules implements KindRules {

  private static final List<String> COUNTS =
      List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods");

  @Override
  public void prepareForCreate(ObjectNode budget) {
    ObjectNode status = budget.putObject("status");
    COUNTS.forEach(count -> status.put(count, 0L));
  }

  @Override
  public void validate(ObjectNode budget, Problems problems) {
    Place spec = Place.of(budget, problems).at("spec");
    if (spec.at("minAvailable").isThere() && spec.at("maxUnavailable").isThere()) {
      spec.invalid("minAvailable and maxUnavailable cannot be both set");
    }
    for (String field : List.of("minAvailable", "maxUnavailable")) {
      if (spec.at(field).isThere()) {
        Shares.validate(spec.at(field));
        Shares.atMostAll(spec.at(field));
      }
    }
    Selectors.validate(spec.at("selector"));
  }

  @Override
  public void validateStatusUpdate(ObjectNode budget, ObjectNode old, Problems problems) {
    Place status = Place.of(budget, problems).at("status");
    COUNTS.forEach(count -> status.at(count).notNegative());
  }
}
