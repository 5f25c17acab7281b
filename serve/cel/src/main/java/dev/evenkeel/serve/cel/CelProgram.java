package dev.evenkeel.serve.cel;

import dev.cel.common.types.CelType;
import dev.evenkeel.serve.cel.json.JsonValues;
import dev.evenkeel.serve.cel.json.Mutations;
import dev.evenkeel.serve.cel.meter.CostExceeded;
import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.plan.Plan;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.ListValue;
import dev.evenkeel.serve.cel.value.NullValue;
import dev.evenkeel.serve.cel.value.OptionalValue;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A compiled expression. Immutable: any number of threads can run it at once. */
public final class CelProgram {

  private static final String CALL_EXCEEDED = "operation cancelled: actual cost limit exceeded";

  private static final String BUDGET_EXCEEDED =
      "validation failed due to running out of cost budget, no further validation rules will be"
          + " run";

  private final String expression;
  private final Plan plan;
  private final CelResultType expected;
  private final CelType type;
  private final Set<String> variables;
  private final Map<String, CelEnvironment.Variable> declared;
  private final long estimate;

  CelProgram(
      String expression,
      Plan plan,
      CelResultType expected,
      CelType type,
      Set<String> variables,
      Map<String, CelEnvironment.Variable> declared,
      long estimate) {
    this.expression = expression;
    this.plan = plan;
    this.expected = expected;
    this.type = type;
    this.variables = variables;
    this.declared = declared;
    this.estimate = estimate;
  }

  public String expression() {
    return expression;
  }

  /** The most it can cost, as far as the schema tells; the largest number if it does not. */
  public long estimatedCostMax() {
    return estimate;
  }

  /** The variables it looks at. */
  public Set<String> variables() {
    return variables;
  }

  /** Whether it compares with what was there before, and so runs on updates only. */
  public boolean usesOldSelf() {
    return variables.contains("oldSelf");
  }

  CelType type() {
    return type;
  }

  /** Runs it, at the expense of the budget. */
  public CelResult evaluate(CelVariables values, CelBudget budget) {
    boolean ofBudget = budget.remaining() < CelLimits.CALL_COST_MAX;
    if (budget.remaining() <= 0) {
      return new CelResult.Exceeded(true, BUDGET_EXCEEDED, 0);
    }
    var meter = new Meter(Math.min(budget.remaining(), CelLimits.CALL_COST_MAX));
    CelResult result;
    try {
      Object value = plan.run(name -> variable(name, values, meter), meter);
      JsonValues.measure(value, meter);
      switch (expected) {
        case MUTATION -> Mutations.check(value, meter);
        case PATCHES -> {
          if (value instanceof ListValue patches) {
            Mutations.checkPatches(patches, meter);
          }
        }
        case BOOL, STRING, STRING_OR_NULL, ANY -> {}
      }
      result = new CelResult.Made(new CelValue(value), meter.spent());
    } catch (EvaluationError e) {
      result = new CelResult.Failed(e.text(), meter.spent());
    } catch (CostExceeded e) {
      result =
          new CelResult.Exceeded(
              ofBudget, ofBudget ? BUDGET_EXCEEDED : CALL_EXCEEDED, meter.spent());
    }
    budget.spend(result.cost());
    return result;
  }

  private @Nullable Object variable(String name, CelVariables values, Meter meter) {
    CelEnvironment.Variable variable = declared.get(name);
    if (variable == null) {
      return null;
    }
    Object value = values.find(name, variable.data(), meter);
    if (!variable.optional()) {
      return value;
    }
    return value == null || value == NullValue.NULL ? OptionalValue.NONE : OptionalValue.of(value);
  }
}
