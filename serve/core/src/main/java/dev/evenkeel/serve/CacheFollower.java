package dev.evenkeel.serve;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.serve.cache.KindCache;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at caches whenever they change: once for all changes that came since it looked last.
 *
 * <p><b>Threading:</b> any; it looks on its loop.
 */
final class CacheFollower implements AutoCloseable {

  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final Loop loop;
  private final List<KindCache> caches;
  private final Runnable look;
  private final AtomicBoolean looking = new AtomicBoolean();

  CacheFollower(Env env, String name, List<KindCache> caches, Runnable look) {
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
    if (looking.compareAndSet(false, true)) {
      try {
        loop.execute(this::lookNow);
      } catch (RejectedExecutionException e) {
        // The server is closing: nobody needs it any more.
      }
    }
  }

  private void lookNow() {
    looking.set(false);
    look.run();
  }

  /** Has it look again although nothing changed: something failed. */
  void lookLater() {
    try {
      loop.runLater(AGAIN, this::changed);
    } catch (RejectedExecutionException e) {
      // The server is closing: nobody needs it any more.
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
