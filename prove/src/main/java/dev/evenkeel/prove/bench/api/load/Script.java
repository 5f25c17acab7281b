package dev.evenkeel.prove.bench.api.load;

import dev.evenkeel.prove.bench.api.wire.Request;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of a closed loop ask. Called on the clients' event loops; whatever is shared
 * between clients must bear that.
 */
public interface Script {

  /** The next request of a client, or null when it has nothing more to ask. */
  @Nullable Request next(int client);

  /**
   * The answer to the client's last request.
   *
   * @return null if it is what was asked for, or else what is wrong with it
   */
  @Nullable String check(int client, Answer answer);

  /** How much of an answer's body is kept for the check. */
  default int keptBytesMax() {
    return 8 << 10;
  }

  /** How long the client is to wait before it asks for its next request. */
  default long pauseNanos(int client, long nowNanos) {
    return 0;
  }
}
