package dev.evenkeel.decide.run;

import java.util.concurrent.CompletionException;

/** What went wrong, as futures tell it. */
final class Failures {

  private Failures() {}

  /** Without the wrapping of futures. */
  static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  static String text(Throwable failure) {
    Throwable cause = cause(failure);
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }
}
