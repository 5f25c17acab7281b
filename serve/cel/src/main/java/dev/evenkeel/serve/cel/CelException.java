package dev.evenkeel.serve.cel;

/** An expression that cannot be compiled. The message is upstream's, without its prefix. */
public final class CelException extends RuntimeException {

  private final String resultType;

  CelException(String message) {
    this(message, "");
  }

  /**
   * @param resultType what the expression makes, if that is what is wrong with it
   */
  CelException(String message, String resultType) {
    super(message);
    this.resultType = resultType;
  }

  /** Whether the expression is sound but makes something else than was asked for. */
  public boolean isOfResultType() {
    return !resultType.isEmpty();
  }

  /** What the expression makes instead of what was asked for; empty if that is not the fault. */
  public String resultType() {
    return resultType;
  }

  public String text() {
    return String.valueOf(getMessage());
  }
}
