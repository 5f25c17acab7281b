package dev.evenkeel.prove.bench.api.load;

import dev.evenkeel.prove.bench.api.wire.Request;
import org.jspecify.annotations.Nullable;

/**
 * Reads something small at a steady pace while another script runs, to see whether that holds
 * others up. The first client runs the script, the second reads until it has ended.
 *
 * <p>Threading: both clients are on one event loop or not; each has fields of its own.
 */
public final class Beside implements Script {

  public static final int CLIENTS = 2;

  private static final long PACE_NANOS = 2_000_000;

  private final Script main;
  private final String path;
  private final Histogram latencies = new Histogram();
  private volatile boolean over;
  private long askedNanos;
  private boolean asked;

  /**
   * @param path of what is read
   */
  public Beside(Script main, String path) {
    this.main = main;
    this.path = path;
  }

  /** Of the reads. */
  public Histogram latencies() {
    return latencies;
  }

  @Override
  public @Nullable Request next(int client) {
    if (client == 0) {
      Request request = main.next(0);
      over = request == null;
      return request;
    }
    if (over) {
      return null;
    }
    asked = true;
    askedNanos = System.nanoTime();
    return Request.get(path);
  }

  @Override
  public @Nullable String check(int client, Answer answer) {
    if (client == 0) {
      return main.check(0, answer);
    }
    if (answer.status() != 200) {
      return "status " + answer.status() + " of a read beside it";
    }
    latencies.record(System.nanoTime() - askedNanos);
    return null;
  }

  @Override
  public long pauseNanos(int client, long nowNanos) {
    if (client == 0) {
      return main.pauseNanos(0, nowNanos);
    }
    return asked ? askedNanos + PACE_NANOS - nowNanos : 0;
  }
}
