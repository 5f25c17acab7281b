package dev.evenkeel.serve;

import java.time.Duration;

/**
 * What a server takes on at a time. Beyond it a client is told to try again.
 *
 * @param readsMax reads under way, without watches
 * @param writesMax writes under way
 * @param watchesMax open watches of all kinds
 * @param requestBytesMax of a body
 * @param requestTime how long a request may take, without watches
 */
public record ServerLimits(
    int readsMax, int writesMax, int watchesMax, int requestBytesMax, Duration requestTime) {

  public static final ServerLimits DEFAULTS =
      new ServerLimits(400, 1_000, 50_000, 3 * 1024 * 1024, Duration.ofSeconds(60));

  public ServerLimits withReadsMax(int other) {
    return new ServerLimits(other, writesMax, watchesMax, requestBytesMax, requestTime);
  }

  public ServerLimits withWritesMax(int other) {
    return new ServerLimits(readsMax, other, watchesMax, requestBytesMax, requestTime);
  }

  public ServerLimits withWatchesMax(int other) {
    return new ServerLimits(readsMax, writesMax, other, requestBytesMax, requestTime);
  }

  public ServerLimits withRequestBytesMax(int other) {
    return new ServerLimits(readsMax, writesMax, watchesMax, other, requestTime);
  }

  public ServerLimits withRequestTime(Duration other) {
    return new ServerLimits(readsMax, writesMax, watchesMax, requestBytesMax, other);
  }
}
