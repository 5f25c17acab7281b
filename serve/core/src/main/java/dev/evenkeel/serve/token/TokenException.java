package dev.evenkeel.serve.token;

/** A token, or a key, that is not to be trusted. The message never holds any part of it. */
public final class TokenException extends Exception {

  private static final long serialVersionUID = 1;

  public TokenException(String message) {
    super(message);
  }

  public TokenException(String message, Throwable cause) {
    super(message, cause);
  }
}
