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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the server does by itself: makes the namespaces that every cluster has, ends requests that
 * hang, and forgets history that nobody needs.
 *
 * <p><b>Threading:</b> owned by its loop.
 */
final class Housekeeping implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Housekeeping.class.getName());

  private static final List<String> NAMESPACES =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

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
    loop.execute(() -> makeNamespaces(server, 0, ready));
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

  private void makeNamespaces(
      ApiHandler server, int index, CompletableFuture<@Nullable Void> ready) {
    if (index == NAMESPACES.size()) {
      ready.complete(null);
      return;
    }
    String body =
        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\""
            + NAMESPACES.get(index)
            + "\"}}";
    var request =
        new ApiRequest(
            "POST",
            "/api/v1/namespaces",
            "",
            Map.of("content-type", "application/json"),
            new ApiRequest.Peer("system:apiserver", List.of("system:masters")),
            new ApiRequest.Body(body.getBytes(StandardCharsets.UTF_8)));
    var _ =
        server
            .handle(request)
            .whenComplete(
                (response, failure) ->
                    loop.execute(() -> madeNamespace(server, index, ready, response, failure)));
  }

  private void madeNamespace(
      ApiHandler server,
      int index,
      CompletableFuture<@Nullable Void> ready,
      @Nullable ApiResponse response,
      @Nullable Throwable failure) {
    boolean made = response != null && (response.status() == 201 || response.status() == 409);
    if (made) {
      makeNamespaces(server, index + 1, ready);
      return;
    }
    if (failure != null) {
      LOG.log(System.Logger.Level.ERROR, "cannot make namespace " + NAMESPACES.get(index), failure);
    }
    var _ = loop.runLater(RETRY, () -> makeNamespaces(server, index, ready));
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
