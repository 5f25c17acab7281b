package dev.evenkeel.serve.cel.plan;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.evenkeel.serve.cel.meter.Meter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An expression that can be run, by any number of threads at once. */
public final class Plan {

  private final Node root;
  private final int slots;

  private Plan(Node root, int slots) {
    this.root = root;
    this.slots = slots;
  }

  /**
   * @throws PlanException if it cannot be run
   */
  public static Plan of(CelAbstractSyntaxTree ast) {
    var planner = new Planner(ast);
    Node root = planner.plan(ast.getExpr());
    return new Plan(root, planner.slots());
  }

  /**
   * The expression's value.
   *
   * @param variables the value of a variable by its name, or null if it has none
   * @throws dev.evenkeel.serve.cel.value.EvaluationError if it has none
   * @throws dev.evenkeel.serve.cel.meter.CostExceeded if it costs too much
   */
  public Object run(Function<String, @Nullable Object> variables, Meter meter) {
    return root.evaluate(new Frame(variables, slots, meter));
  }
}
