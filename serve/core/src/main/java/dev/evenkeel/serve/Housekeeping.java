package dev.evenkeel.serve;

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
final class Housekeeping implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Housekeeping.class.getName());

  /** An object that every cluster has. */
  private record Fixture(String path, String name, String body) {}

  private static final List<Fixture> FIXTURES =
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
        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + name + "\"}}");
  }

  private static Fixture priorityClass(String name, long value, String description) {
    return new Fixture(
        "/apis/scheduling.k8s.io/v1/priorityclasses",
        name,
        """
        {"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"%s"},\
        "value":%d,"description":"%s"}\
        """
            .formatted(name, value, description));
  }

  private static final Duration DEADLINE_CHECK = Duration.ofSeconds(1);

  private static final Duration RETRY = Duration.ofMillis(500);

  private final Store store;
  private final Duration compaction;
  private final Deadlines deadlines;
  private final Loop loop;
  private long compactNext;

  Housekeeping(Env env, Store store, Duration compaction, Deadlines deadlines) {
    this.store = store;
    this.deadlines = deadlines;
    this.compaction = compaction;
    this.loop = env.loop("api-housekeeping");
  }

  CompletableFuture<@Nullable Void> start(ApiHandler server) {
    var ready = new CompletableFuture<@Nullable Void>();
    loop.execute(() -> makeFixtures(server, 0, ready));
    checkDeadlines();
    if (!compaction.isZero()) {
      var _ = loop.runLater(compaction, this::compact);
    }
    return ready;
  }

  private void checkDeadlines() {
    deadlines.check();
    var _ = loop.runLater(DEADLINE_CHECK, this::checkDeadlines);
  }

  private void makeFixtures(ApiHandler server, int index, CompletableFuture<@Nullable Void> ready) {
    if (index == FIXTURES.size()) {
      ready.complete(null);
      return;
    }
    Fixture fixture = FIXTURES.get(index);
    // Looked for first: a policy may refuse by now to have it made, and that must not end a start.
    ask(
        server,
        OwnRequests.of("GET", fixture.path() + "/" + fixture.name(), new byte[0]),
        (response, failure) -> {
          if (response != null && response.status() == 200) {
            makeFixtures(server, index + 1, ready);
          } else {
            makeFixture(server, index, ready);
          }
        });
  }

  private void makeFixture(ApiHandler server, int index, CompletableFuture<@Nullable Void> ready) {
    Fixture fixture = FIXTURES.get(index);
    byte[] body = fixture.body().getBytes(StandardCharsets.UTF_8);
    ask(
        server,
        OwnRequests.of("POST", fixture.path(), body),
        (response, failure) -> madeFixture(server, index, ready, response, failure));
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

  private void madeFixture(
      ApiHandler server,
      int index,
      CompletableFuture<@Nullable Void> ready,
      @Nullable ApiResponse response,
      @Nullable Throwable failure) {
    boolean made = response != null && (response.status() == 201 || response.status() == 409);
    if (made) {
      makeFixtures(server, index + 1, ready);
      return;
    }
    if (failure != null) {
      LOG.log(System.Logger.Level.ERROR, "cannot make " + FIXTURES.get(index).body(), failure);
    }
    var _ = loop.runLater(RETRY, () -> makeFixtures(server, index, ready));
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
