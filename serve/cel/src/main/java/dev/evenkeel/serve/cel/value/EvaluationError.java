package dev.evenkeel.serve.cel.value;

/**
 * What an expression makes instead of a value; {@code &&} and {@code ||} may yet make good of it.
 */
public final class EvaluationError extends RuntimeException {

  public EvaluationError(String message) {
    // No stack trace: it is an outcome of the expression, thrown often, and not a fault of ours.
    super(message, null, false, false);
  }

  public static EvaluationError noSuchOverload() {
    return new EvaluationError("no such overload");
  }

  public static EvaluationError noSuchKey(Object key) {
    return new EvaluationError("no such key: " + Values.display(key));
  }

  public String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
