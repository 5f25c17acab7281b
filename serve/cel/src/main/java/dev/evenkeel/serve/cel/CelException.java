package dev.evenkeel.serve.cel;

/** An expression that cannot be compiled. The message is upstream's, without its prefix. */
public final class CelException extends RuntimeException {

  private final boolean ofResultType;

  CelException(String message, boolean ofResultType) {
    super(message);
    this.ofResultType = ofResultType;
  }

  /** Whether the expression is sound but makes something else than was asked for. */
  public boolean isOfResultType() {
    return ofResultType;
  }

  public String text() {
    return String.valueOf(getMessage());
  }
}
