package dev.evenkeel.serve.call;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.store.StoreException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks into failed futures. */
public final class Failures {

  private static final Set<Integer> REFUSALS = Set.of(401, 403, 413, 422);

  private Failures() {}

  /** What a failure of the store is to a client. */
  public static Throwable translated(Throwable failure) {
    Throwable cause = FutureFailure.cause(failure);
    if (!(cause instanceof StoreException)) {
      return cause;
    }
    String message = String.valueOf(cause.getMessage());
    Status status =
        switch (cause) {
          case StoreException.TooLarge _ -> Status.tooLarge("Request entity too large: " + message);
          case StoreException.Unavailable _ -> Status.unavailable(message, 1);
          case StoreException.UnknownOutcome _ ->
              Status.timeout(
                  "the store did not say whether the write was made: " + message, List.of(), 1);
          case StoreException.Closed _ -> Status.unavailable("the server is shutting down", 1);
          case StoreException.OutOfSpace _ -> Status.of(507, "InsufficientStorage", message);
          default -> Status.internal(message);
        };
    return status.asException();
  }

  /** The status that a failure carries, null if it is a fault of ours. */
  public static @Nullable Status status(Throwable failure) {
    return translated(FutureFailure.cause(failure)) instanceof ApiException refused
        ? refused.status()
        : null;
  }

  public static boolean isAlreadyExists(Throwable failure) {
    Status status = status(failure);
    return status != null && status.reason().equals("AlreadyExists");
  }

  public static boolean isConflict(Throwable failure) {
    Status status = status(failure);
    return status != null && status.reason().equals("Conflict");
  }

  /** Whether it may be admission's, which speaks with any of these codes. */
  public static boolean isRefusal(Throwable failure) {
    Status status = status(failure);
    return status != null && REFUSALS.contains(status.code());
  }

  public static boolean isNotFound(Throwable failure) {
    Status status = status(failure);
    return status != null && status.code() == 404;
  }
}
