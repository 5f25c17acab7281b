package dev.evenkeel.operate.up;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.operate.kubeconfig.Kubeconfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Uses a server that has just started, as its clients will, while nobody else does: a JVM is at its
 * best only after it has run its code for a while, and whoever comes next should find it so. Writes
 * are dry runs; nothing is left behind. Rests while anybody else is connected: their requests
 * matter more, and warm the server as well.
 *
 * <p><b>Threading:</b> all on its loop, but for {@link #close}.
 */
final class WarmUp implements AutoCloseable {

  /** After so many requests little is gained from more. */
  static final int REQUESTS_ENOUGH = 16_000;

  private static final int REQUESTS_AT_ONCE = 128;

  /** Also before it begins: who waited for the start comes first. */
  private static final Duration REST = Duration.ofSeconds(1);

  private static final Duration TIME_MAX = Duration.ofSeconds(30);

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String MAP =
      "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"generateName\":\"warm-up-\","
          + "\"labels\":{\"app\":\"warm-up\"}},\"data\":{\"text\":\""
          + "All is on an even keel. ".repeat(36)
          + "\"}}";

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String POD =
      """
      {"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"warm-up-","labels":{"app":"warm-up"}},
       "spec":{"containers":[{"name":"main","image":"warm-up:1",
       "resources":{"requests":{"cpu":"100m","memory":"100Mi"}}}]}}
      """;

  private final Loop loop;
  private final Clock clock;
  private final LongSupplier connections;
  private final int requestsMax;
  private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
  private final long begunNanos;
  private volatile @Nullable FrameClient client;
  private volatile boolean closed;
  private int sent;

  private WarmUp(Env env, LongSupplier connections, int requestsMax) {
    this.loop = env.loop("warm-up");
    this.clock = env.clock();
    this.connections = connections;
    this.requestsMax = requestsMax;
    this.begunNanos = clock.nanoTime();
  }

  /**
   * Begins, and returns at once.
   *
   * @param kubeconfig of the server
   * @param connections how many the server has
   */
  static WarmUp start(
      Env env, Path kubeconfig, String token, LongSupplier connections, int requestsMax) {
    var warmUp = new WarmUp(env, connections, requestsMax);
    warmUp.loop.runLater(REST, () -> warmUp.connect(kubeconfig, token));
    return warmUp;
  }

  /** Answered at the end, however it came. */
  CompletableFuture<@Nullable Void> done() {
    return done;
  }

  private void connect(Path kubeconfig, String token) {
    try {
      Kubeconfig server = Kubeconfig.read(kubeconfig);
      client = FrameClient.connect(server.server(), server.sslContext(), token);
    } catch (IOException | RuntimeException e) {
      // A server that is not warm works as well, only not as fast for a while.
      end();
      return;
    }
    step();
  }

  private void step() {
    FrameClient to = client;
    if (to == null
        || closed
        || sent >= requestsMax
        || clock.nanoTime() - begunNanos > TIME_MAX.toNanos()) {
      end();
    } else if (connections.getAsLong() > 1) {
      loop.runLater(REST, this::step);
    } else {
      try {
        long begin = clock.nanoTime();
        ask(to);
        // As long as that took: others on this machine want to start as well.
        loop.runLater(Duration.ofNanos(clock.nanoTime() - begin), this::step);
      } catch (IOException | RuntimeException e) {
        end();
      }
    }
  }

  private void ask(FrameClient to) throws IOException {
    for (int i = 0; i < REQUESTS_AT_ONCE; i++) {
      switch (i % 8) {
        case 0 -> to.send("GET", "/api/v1/namespaces/default", "");
        case 1 -> to.send("GET", "/api/v1/namespaces", "");
        case 2, 3, 4 -> to.send("POST", PODS + "?dryRun=All", POD);
        default -> to.send("POST", MAPS + "?dryRun=All", MAP);
      }
    }
    to.awaitAnswers();
    sent += REQUESTS_AT_ONCE;
  }

  private void end() {
    FrameClient to = client;
    if (to != null) {
      to.close();
    }
    done.complete(null);
  }

  @Override
  public void close() {
    closed = true;
    FrameClient to = client;
    if (to != null) {
      to.close();
    }
    loop.close();
    done.complete(null);
  }
}
