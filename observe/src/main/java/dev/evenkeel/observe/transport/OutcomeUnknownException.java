package dev.evenkeel.observe.transport;

/**
 * A write whose answer was lost: perhaps it was carried out, perhaps not. To repeat it blindly may
 * do it twice; read back what is there, then decide.
 */
public final class OutcomeUnknownException extends RuntimeException {

  public OutcomeUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
