package dev.evenkeel.serve.resident;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.KindCache;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Looks at caches whenever they change, and writes what is to be written: once for all changes that
 * came since it looked last.
 *
 * <p><b>Invariants:</b> it does not look while writes of its last look are under way. At most one
 * retry is due, however many writes failed: each failure asking for one of its own would make more
 * of them with every look.
 *
 * <p><b>Threading:</b> any; it looks on its loop.
 */
final class CacheFollower implements AutoCloseable {

  private static final Duration RETRY = Duration.ofSeconds(5);

  /** Looks at the caches as they are now. */
  interface Look {

    /** The answers to the writes that it began. */
    List<CompletableFuture<ApiResponse>> begin();
  }

  private final Loop loop;
  private final List<KindCache> caches;
  private final Look look;
  private final AtomicBoolean wanted = new AtomicBoolean();
  private boolean writing;
  private boolean changedMeanwhile;
  private boolean retryIsDue;

  CacheFollower(Env env, String name, List<KindCache> caches, Look look) {
    this.loop = env.loop(name);
    this.caches = caches;
    this.look = look;
  }

  /** Begins when all caches are filled. */
  void start() {
    CompletableFuture<?>[] filled =
        caches.stream().map(KindCache::ready).toArray(CompletableFuture[]::new);
    var _ =
        CompletableFuture.allOf(filled)
            .thenAccept(
                _ -> {
                  caches.forEach(cache -> cache.follow(this::changed));
                  changed();
                });
  }

  private void changed() {
    if (wanted.compareAndSet(false, true)) {
      onLoop(this::lookNow);
    }
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // The server is closing: nobody needs it any more.
    }
  }

  private void lookNow() {
    wanted.set(false);
    if (writing) {
      changedMeanwhile = true;
      return;
    }
    List<CompletableFuture<ApiResponse>> writes = look.begin();
    if (writes.isEmpty()) {
      return;
    }
    writing = true;
    var _ =
        CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new))
            .whenComplete((_, _) -> onLoop(() -> written(writes)));
  }

  private void written(List<CompletableFuture<ApiResponse>> writes) {
    writing = false;
    if (!retryIsDue && writes.stream().anyMatch(CacheFollower::hasFailed)) {
      retryIsDue = true;
      var _ = loop.runLater(RETRY, this::retry);
    }
    if (changedMeanwhile) {
      changedMeanwhile = false;
      // What failed is for the retry, unless somebody changed something besides.
      if (writes.stream().noneMatch(CacheFollower::hasFailed)) {
        lookNow();
      }
    }
  }

  private void retry() {
    retryIsDue = false;
    lookNow();
  }

  /** What is gone needs no status any more. */
  private static boolean hasFailed(CompletableFuture<ApiResponse> write) {
    @Nullable ApiResponse response = write.isCompletedExceptionally() ? null : write.join();
    return response == null || (response.status() >= 300 && response.status() != 404);
  }

  @Override
  public void close() {
    loop.close();
  }
}
