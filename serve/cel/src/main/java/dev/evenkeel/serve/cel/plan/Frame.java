package dev.evenkeel.serve.cel.plan;

import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.value.EvaluationError;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One evaluation: its variables and its meter.
 *
 * <p>Threading: owned by the evaluation.
 */
public final class Frame {

  private final Function<String, @Nullable Object> variables;
  private final @Nullable Object[] locals;
  private final Meter meter;

  /**
   * @param variables the value of a variable by its name, or null if it has none
   */
  Frame(Function<String, @Nullable Object> variables, int locals, Meter meter) {
    this.variables = variables;
    this.locals = new @Nullable Object[locals];
    this.meter = meter;
  }

  Meter meter() {
    return meter;
  }

  Object variable(String name) {
    Object value = variables.apply(name);
    if (value == null) {
      throw new EvaluationError("no such attribute(s): " + name);
    }
    return value;
  }

  /** A loop's variable; the result of a loop can be an error that a later turn makes good. */
  Object local(int slot) {
    Object value = locals[slot];
    if (value instanceof EvaluationError error) {
      throw error;
    }
    if (value == null) {
      throw new IllegalStateException("a loop's variable is read outside of the loop");
    }
    return value;
  }

  void set(int slot, Object value) {
    locals[slot] = value;
  }
}
