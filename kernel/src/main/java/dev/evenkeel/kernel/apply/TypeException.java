package dev.evenkeel.kernel.apply;

/** An object does not fit its type so badly that nobody can tell who owns what of it. */
public final class TypeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TypeException(String message) {
    super(message);
  }
}
