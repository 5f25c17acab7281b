package dev.evenkeel.serve.cel.plan;

/** A checked expression that still cannot be run. */
public final class PlanException extends RuntimeException {

  private final long expressionId;

  PlanException(long expressionId, String message) {
    super(message);
    this.expressionId = expressionId;
  }

  public long expressionId() {
    return expressionId;
  }

  public String text() {
    return String.valueOf(getMessage());
  }
}
