package dev.evenkeel.operate.up;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.operate.kubeconfig.Kubeconfig;
import dev.evenkeel.serve.http.tls.Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Does what clients will ask of a server that has just started, while nobody does: a JVM is at its
 * best only after it has run its code for a while, and whoever comes next should find it so. All is
 * done on a {@link Shadow} of the server; nothing is left behind. Stops while anybody is connected
 * to the server itself: their requests matter more, and warm it as well.
 *
 * <p><b>Threading:</b> all on its loop, but for {@link #close}.
 */
final class WarmUp implements AutoCloseable {

  /** After so many requests little is gained from more. */
  static final int REQUESTS_ENOUGH = 16_384;

  private static final int REQUESTS_AT_ONCE = 128;
  private static final int CLIENTS = 2;
  private static final int NODES = 64;
  private static final int MAPS_CHANGED = 16;

  /** Then a shadow is thrown away and another made: it holds all that it was given. */
  private static final int PODS_EACH_MAX = 3_000;

  private static final Duration LOOK_AGAIN = Duration.ofMillis(2);

  /** Pods that have no node by then are not waited for. */
  private static final Duration PODS_PATIENCE = Duration.ofSeconds(5);

  /** Also before it begins: who waited for the start comes first. */
  private static final Duration REST = Duration.ofSeconds(1);

  private static final Duration TIME_MAX = Duration.ofSeconds(30);

  private static final String MAPS_PATH = "/api/v1/namespaces/default/configmaps";
  private static final String MAP =
      "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"NAME\","
          + "\"labels\":{\"app\":\"warm-up\"}},\"data\":{\"text\":\""
          + "All is on an even keel. ".repeat(36)
          + "\"}}";

  private static final String NODES_PATH = "/api/v1/nodes";
  private static final String NODE =
      """
      {"apiVersion":"v1","kind":"Node","metadata":{"name":"NAME","labels":
       {"kubernetes.io/hostname":"NAME","topology.kubernetes.io/zone":"zone-a"}},
       "status":{"allocatable":{"cpu":"1k","memory":"1Ti","pods":"1k"},
       "capacity":{"cpu":"1k","memory":"1Ti","pods":"1k"},
       "conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2100-01-01T00:00:00Z"}]}}
      """;

  private static final String PODS_PATH = "/api/v1/namespaces/default/pods";
  private static final String POD =
      """
      {"apiVersion":"v1","kind":"Pod","metadata":{"name":"NAME","labels":{"app":"warm-up"}},
       "spec":{"containers":[{"name":"main","image":"warm-up:1",
       "resources":{"requests":{"cpu":"100m","memory":"100Mi"}}}]}}
      """;

  private final Env env;
  private final Loop loop;
  private final Clock clock;
  private final Credentials credentials;
  private final LongSupplier connections;
  private final int requestsMax;
  private final boolean schedules;
  private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
  private final long begunNanos;
  private volatile @Nullable Stage stage;
  private volatile boolean closed;
  private final AtomicInteger sent = new AtomicInteger();

  private WarmUp(
      Env env,
      Credentials credentials,
      LongSupplier connections,
      int requestsMax,
      boolean schedules) {
    this.env = env;
    this.credentials = credentials;
    this.schedules = schedules;
    this.loop = env.loop("warm-up");
    this.clock = env.clock();
    this.connections = connections;
    this.requestsMax = requestsMax;
    this.begunNanos = clock.nanoTime();
  }

  /** A shadow and its clients. */
  private static final class Stage implements AutoCloseable {
    private final Shadow shadow;

    /** May be closed while more are made. */
    private final List<FrameClient> clients = new CopyOnWriteArrayList<>();

    private volatile @Nullable Onlooker onlooker;
    private int pods;

    Stage(Shadow shadow) {
      this.shadow = shadow;
    }

    @Override
    public void close() {
      clients.forEach(FrameClient::close);
      Onlooker watching = onlooker;
      if (watching != null) {
        watching.close();
      }
      shadow.close();
    }
  }

  /**
   * Begins, and returns at once.
   *
   * @param kubeconfig of the server
   * @param connections how many the server has
   * @param schedules whether it gives pods nodes
   */
  static WarmUp start(
      Env env,
      Path kubeconfig,
      Credentials credentials,
      LongSupplier connections,
      int requestsMax,
      boolean schedules) {
    var warmUp = new WarmUp(env, credentials, connections, requestsMax, schedules);
    warmUp.loop.runLater(REST, () -> warmUp.begin(kubeconfig));
    return warmUp;
  }

  /** Answered at the end, however it came. */
  CompletableFuture<@Nullable Void> done() {
    return done;
  }

  /** Requests so far. */
  int sent() {
    return sent.get();
  }

  private void begin(Path kubeconfig) {
    try {
      step(Kubeconfig.read(kubeconfig).sslContext());
    } catch (RuntimeException e) {
      // A server that is not warm works as well, only not as fast for a while.
      end();
    }
  }

  private void step(SSLContext tls) {
    if (closed || sent.get() >= requestsMax || isLate()) {
      end();
    } else if (connections.getAsLong() > 0) {
      // A second server is not kept while the first is used.
      release();
      loop.runLater(REST, () -> step(tls));
    } else {
      try {
        long begin = clock.nanoTime();
        Stage on = stage;
        if (on == null || on.pods >= PODS_EACH_MAX) {
          release();
          on = open(tls);
        }
        ask(on);
        await(on, tls, begin);
      } catch (IOException | CompletionException | IllegalStateException e) {
        end();
      }
    }
  }

  private boolean isLate() {
    return clock.nanoTime() - begunNanos > TIME_MAX.toNanos();
  }

  private Stage open(SSLContext tls) throws IOException {
    var opened = new Stage(Shadow.open(env, credentials, schedules));
    stage = opened;
    URI address = opened.shadow.address();
    String token = credentials.adminToken();
    for (int i = 0; i < CLIENTS; i++) {
      opened.clients.add(FrameClient.connect(address, tls, token));
    }
    FrameClient first = opened.clients.getFirst();
    for (int i = 0; i < NODES; i++) {
      first.send("POST", NODES_PATH, named(NODE, "node-" + i));
    }
    for (int i = 0; i < MAPS_CHANGED; i++) {
      first.send("POST", MAPS_PATH, named(MAP, "map-" + i));
    }
    first.awaitAnswers();
    opened.onlooker = Onlooker.watch(env, address, tls, token, PODS_PATH + "?watch=true");
    return opened;
  }

  private static String named(String object, String name) {
    return object.replace("NAME", name);
  }

  private void ask(Stage on) throws IOException {
    for (int i = 0; i < REQUESTS_AT_ONCE; i++) {
      FrameClient to = on.clients.get(i % CLIENTS);
      String map = "map-" + i % MAPS_CHANGED;
      switch (i / CLIENTS % 8) {
        case 0 -> to.send("GET", MAPS_PATH + "/" + map, "");
        case 1 -> to.send("GET", NODES_PATH, "");
        case 2 -> to.send("PUT", MAPS_PATH + "/" + map, named(MAP, map));
        case 3, 4 -> to.send("POST", MAPS_PATH, named(MAP, "more-" + sent + "-" + i));
        default -> {
          to.send("POST", PODS_PATH, named(POD, "pod-" + on.pods));
          on.pods++;
        }
      }
    }
    for (FrameClient client : on.clients) {
      client.awaitAnswers();
    }
    sent.addAndGet(REQUESTS_AT_ONCE);
  }

  /** Until the pods have their nodes, and half as long again: others may want to start here too. */
  private void await(Stage on, SSLContext tls, long sinceNanos) {
    long took = clock.nanoTime() - sinceNanos;
    if (!schedules || on.shadow.placed() >= on.pods) {
      loop.runLater(Duration.ofNanos(took / 2), () -> step(tls));
    } else if (closed || took > PODS_PATIENCE.toNanos()) {
      end();
    } else {
      loop.runLater(LOOK_AGAIN, () -> await(on, tls, sinceNanos));
    }
  }

  private void end() {
    release();
    if (sent.get() > 0) {
      // What it held is not to stay until something else needs the room.
      loop.execute(System::gc);
    }
    done.complete(null);
  }

  private void release() {
    Stage on = stage;
    if (on != null) {
      on.close();
      stage = null;
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
