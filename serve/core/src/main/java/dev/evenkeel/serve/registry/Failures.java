package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.FutureFailure;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks into failed futures. */
public final class Failures {

  private static final Set<Integer> REFUSALS = Set.of(401, 403, 413, 422);

  private Failures() {}

  /** The status that a failure carries, null if it is a fault of ours. */
  public static @Nullable Status status(Throwable failure) {
    return Authority.translated(FutureFailure.cause(failure)) instanceof ApiException refused
        ? refused.status()
        : null;
  }

  static boolean isAlreadyExists(Throwable failure) {
    Status status = status(failure);
    return status != null && status.reason().equals("AlreadyExists");
  }

  static boolean isConflict(Throwable failure) {
    Status status = status(failure);
    return status != null && status.reason().equals("Conflict");
  }

  /** Whether it may be admission's, which speaks with any of these codes. */
  static boolean isRefusal(Throwable failure) {
    Status status = status(failure);
    return status != null && REFUSALS.contains(status.code());
  }

  static boolean isNotFound(Throwable failure) {
    Status status = status(failure);
    return status != null && status.code() == 404;
  }
}
