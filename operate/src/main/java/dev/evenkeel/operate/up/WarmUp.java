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
 * matter more, and warm the server as well. At last pods are scheduled, on a {@link Shadow} of the
 * server.
 *
 * <p><b>Threading:</b> all on its loop, but for {@link #close}.
 */
final class WarmUp implements AutoCloseable {

  /** After so many requests little is gained from more. */
  static final int REQUESTS_ENOUGH = 16_000;

  /** Likewise of pods. */
  static final int PODS_ENOUGH = 6_000;

  private static final int REQUESTS_AT_ONCE = 128;
  private static final int PODS_AT_ONCE = 64;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(2);

  /** Pods that have no node by then are not waited for. */
  private static final Duration PODS_PATIENCE = Duration.ofSeconds(5);

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

  private final Env env;
  private final Loop loop;
  private final Clock clock;
  private final LongSupplier connections;
  private final int requestsMax;
  private final int podsMax;
  private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
  private final long begunNanos;
  private volatile @Nullable FrameClient client;
  private volatile @Nullable Shadow shadow;
  private volatile boolean closed;
  private int sent;
  private int scheduled;

  private WarmUp(Env env, LongSupplier connections, int requestsMax, int podsMax) {
    this.env = env;
    this.podsMax = podsMax;
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
   * @param podsMax 0 if it schedules none
   */
  static WarmUp start(
      Env env,
      Path kubeconfig,
      String token,
      LongSupplier connections,
      int requestsMax,
      int podsMax) {
    var warmUp = new WarmUp(env, connections, requestsMax, podsMax);
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
    if (to == null || closed || isLate()) {
      end();
    } else if (sent >= requestsMax) {
      to.close();
      schedule();
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

  private boolean isLate() {
    return clock.nanoTime() - begunNanos > TIME_MAX.toNanos();
  }

  /** Whoever comes now warms the rest: a second server is not kept for them. */
  private void schedule() {
    boolean used = connections.getAsLong() > 0;
    if (used && shadow == null && !closed && !isLate()) {
      loop.runLater(REST, this::schedule);
      return;
    }
    if (used || closed || isLate() || scheduled >= podsMax) {
      end();
      return;
    }
    try {
      Shadow on = shadow;
      if (on == null) {
        on = Shadow.open(env);
        shadow = on;
      }
      on.schedule(POD, PODS_AT_ONCE);
      scheduled += PODS_AT_ONCE;
      await(on, clock.nanoTime());
    } catch (RuntimeException e) {
      end();
    }
  }

  private void await(Shadow on, long sinceNanos) {
    long took = clock.nanoTime() - sinceNanos;
    if (closed || took > PODS_PATIENCE.toNanos()) {
      end();
    } else if (on.isDone()) {
      loop.runLater(Duration.ofNanos(took), this::schedule);
    } else {
      loop.runLater(LOOK_AGAIN, () -> await(on, sinceNanos));
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
    boolean shadowed = shadow != null;
    release();
    if (shadowed) {
      // What it held is not to stay until something else needs the room.
      loop.execute(System::gc);
    }
    done.complete(null);
  }

  private void release() {
    FrameClient to = client;
    if (to != null) {
      to.close();
    }
    Shadow on = shadow;
    if (on != null) {
      on.close();
      shadow = null;
    }
  }

  @Override
  public void close() {
    closed = true;
    release();
    loop.close();
    // It may just have been made.
    release();
    done.complete(null);
  }
}
