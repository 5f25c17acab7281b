package dev.evenkeel.decide.run;

import dev.evenkeel.kernel.env.FutureFailure;

/** What went wrong, as futures tell it. */
final class Failures {

  private Failures() {}

  static String text(Throwable failure) {
    Throwable cause = FutureFailure.cause(failure);
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }
}
