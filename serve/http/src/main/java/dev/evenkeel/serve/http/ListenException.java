package dev.evenkeel.serve.http;

/** The listener could not start; the message says what to do. */
public final class ListenException extends RuntimeException {

  public ListenException(String message, Throwable cause) {
    super(message, cause);
  }
}
