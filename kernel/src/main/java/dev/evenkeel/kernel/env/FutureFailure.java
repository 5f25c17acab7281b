package dev.evenkeel.kernel.env;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What a future failed with. */
public final class FutureFailure {

  private FutureFailure() {}

  /** The failure without what futures wrap it in. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
