package dev.evenkeel.serve.resident;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the server does by itself: makes the objects that every cluster has, ends requests that
 * hang, and forgets history that nobody needs.
 *
 * <p><b>Threading:</b> owned by its loop.
 */
public final class Housekeeping implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Housekeeping.class.getName());

  /** An object that every cluster has. */
  record Fixture(String path, String name, String manager, String body) {}

  private static final String MANAGER = "kube-apiserver";

  private static final List<Fixture> FIRST =
      List.of(
          namespace("default"),
          namespace("kube-system"),
          namespace("kube-public"),
          namespace("kube-node-lease"),
          priorityClass(
              "system-cluster-critical",
              2_000_000_000L,
              "Used for system critical pods that must run in the cluster, but can be moved to"
                  + " another node if necessary."),
          priorityClass(
              "system-node-critical",
              2_000_001_000L,
              "Used for system critical pods that must not be moved from their current node."));

  private static Fixture namespace(String name) {
    return new Fixture(
        "/api/v1/namespaces",
        name,
        MANAGER,
        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + name + "\"}}");
  }

  private static Fixture priorityClass(String name, long value, String description) {
    return new Fixture(
        "/apis/scheduling.k8s.io/v1/priorityclasses",
        name,
        MANAGER,
        """
        {"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"%s"},\
        "value":%d,"description":"%s"}\
        """
            .formatted(name, value, description));
  }

  private static final Duration DEADLINE_CHECK = Duration.ofSeconds(1);

  private static final Duration RETRY = Duration.ofMillis(500);
  private static final Duration RETRY_MAX = Duration.ofSeconds(30);

  private final Store store;
  private final Duration compaction;
  private final Deadlines deadlines;
  private final Loop loop;
  private long compactNext;

  public Housekeeping(Env env, Store store, Duration compaction, Deadlines deadlines) {
    this.store = store;
    this.deadlines = deadlines;
    this.compaction = compaction;
    this.loop = env.loop("api-housekeeping");
  }

  /**
   * Begins.
   *
   * @return answered when there is what no cluster can be without. The rest follows, and keeps no
   *     server from being ready: it may be that a policy does not let it be made
   */
  public CompletableFuture<@Nullable Void> start(ApiHandler server) {
    CompletableFuture<@Nullable Void> first = makeAll(server, FIRST);
    var _ =
        first
            .thenCompose(_ -> makeAll(server, DefaultFlows.levels()))
            .thenCompose(_ -> makeAll(server, DefaultFlows.schemas()));
    checkDeadlines();
    if (!compaction.isZero()) {
      var _ = loop.runLater(compaction, this::compact);
    }
    return first;
  }

  /** Side by side: each is a write of its own, and a start is to take a second. */
  private CompletableFuture<@Nullable Void> makeAll(ApiHandler server, List<Fixture> fixtures) {
    CompletableFuture<?>[] made = new CompletableFuture<?>[fixtures.size()];
    for (int i = 0; i < made.length; i++) {
      Fixture fixture = fixtures.get(i);
      var there = new CompletableFuture<@Nullable Void>();
      made[i] = there;
      loop.execute(() -> make(server, fixture, RETRY, there));
    }
    return CompletableFuture.allOf(made).thenApply(_ -> null);
  }

  private void checkDeadlines() {
    deadlines.check();
    var _ = loop.runLater(DEADLINE_CHECK, this::checkDeadlines);
  }

  private void make(
      ApiHandler server,
      Fixture fixture,
      Duration retryAfter,
      CompletableFuture<@Nullable Void> there) {
    // Looked for first: a policy may refuse by now to have it made, and that must not end a start.
    ask(
        server,
        OwnRequests.of("GET", fixture.path() + "/" + fixture.name(), new byte[0]),
        (response, failure) -> {
          if (response != null && response.status() == 200) {
            there.complete(null);
          } else {
            create(server, fixture, retryAfter, there);
          }
        });
  }

  private void create(
      ApiHandler server,
      Fixture fixture,
      Duration retryAfter,
      CompletableFuture<@Nullable Void> there) {
    byte[] body = fixture.body().getBytes(StandardCharsets.UTF_8);
    ask(
        server,
        OwnRequests.create(fixture.path(), fixture.manager(), body),
        (response, failure) -> {
          if (response != null && (response.status() == 201 || response.status() == 409)) {
            there.complete(null);
            return;
          }
          if (retryAfter.equals(RETRY)) {
            LOG.log(
                System.Logger.Level.WARNING,
                "cannot make "
                    + fixture.path()
                    + "/"
                    + fixture.name()
                    + " yet, and goes on trying: "
                    + why(response, failure));
          }
          Duration twice = retryAfter.multipliedBy(2);
          Duration next = twice.compareTo(RETRY_MAX) > 0 ? RETRY_MAX : twice;
          var _ = loop.runLater(retryAfter, () -> make(server, fixture, next, there));
        });
  }

  private static String why(@Nullable ApiResponse response, @Nullable Throwable failure) {
    if (response == null) {
      return String.valueOf(failure);
    }
    return response.status()
        + (response.content() instanceof ApiResponse.Whole(byte[] body)
            ? " " + new String(body, StandardCharsets.UTF_8)
            : "");
  }

  private interface Answered {
    void with(@Nullable ApiResponse response, @Nullable Throwable failure);
  }

  private void ask(ApiHandler server, ApiRequest request, Answered then) {
    var _ =
        server
            .handle(request)
            .whenComplete((response, failure) -> loop.execute(() -> then.with(response, failure)));
  }

  /** Forgets what was already old the last time: history is kept for one to two intervals. */
  private void compact() {
    long target = compactNext;
    var _ =
        store
            .currentRevision()
            .whenComplete(
                (newest, _) -> {
                  if (newest != null) {
                    loop.execute(() -> compactNext = newest);
                  }
                });
    if (target > 1) {
      var _ =
          store
              .compact(target)
              .exceptionally(
                  failure -> {
                    LOG.log(System.Logger.Level.DEBUG, "compaction through " + target, failure);
                    return null;
                  });
    }
    var _ = loop.runLater(compaction, this::compact);
  }

  @Override
  public void close() {
    loop.close();
  }
}
