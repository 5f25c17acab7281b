package dev.evenkeel.serve.cache;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Follows the store for one cache: reads the state, then watches; when the store cannot be reached
 * it tries again from where it was, and only when history is gone reads the state anew.
 *
 * <p><b>Invariants:</b> at most one subscription; batches reach the cache in order and none twice.
 *
 * <p><b>Threading:</b> owned by the cache's loop.
 */
final class Upstream {

  private static final int PAGE_ITEMS = 2_000;
  private static final Duration RETRY_MIN = Duration.ofMillis(50);
  private static final Duration RETRY_MAX = Duration.ofSeconds(5);

  private final Env env;
  private final Loop loop;
  private final Store store;
  private final Bytes prefix;
  private final CacheLimits limits;
  private final KindCache cache;
  private @Nullable Watch watch;
  private Duration retryAfter = RETRY_MIN;
  private long readyAt;
  private boolean ready;
  private boolean closed;

  Upstream(Env env, Loop loop, Store store, Bytes prefix, CacheLimits limits, KindCache cache) {
    this.env = env;
    this.loop = loop;
    this.store = store;
    this.prefix = prefix;
    this.limits = limits;
    this.cache = cache;
  }

  /**
   * Reads the state as it was a while ago and catches up from there: so the window holds what
   * happened before this server started, and clients resume their watches across a restart.
   */
  void start() {
    onLoop(
        store.currentRevision(),
        newest -> {
          readyAt = newest;
          long base = Math.max(Store.FIRST_REVISION, newest - limits.resumeRevisions());
          readState(base, prefix, new ArrayList<>());
        },
        this::startAgain);
  }

  private void readState(long revision, Bytes from, List<CachedObject> objects) {
    RangeQuery query = RangeQuery.prefix(prefix).startingAt(from).limit(PAGE_ITEMS).at(revision);
    onLoop(
        store.range(query),
        page -> takePage(page, revision, objects),
        failure -> {
          if (failure instanceof StoreException.Compacted compacted
              && compacted.compactedRevision() > revision) {
            readState(compacted.compactedRevision(), prefix, new ArrayList<>());
          } else {
            startAgain(failure);
          }
        });
  }

  private void takePage(RangeResult page, long revision, List<CachedObject> objects) {
    for (KeyValue item : page.items()) {
      objects.add(cache.codec().read(cache.keyOf(item.key()), item));
    }
    if (page.more()) {
      readState(revision, page.items().getLast().key().successor(), objects);
      return;
    }
    cache.restart(revision, objects);
    follow(revision);
  }

  private void follow(long revision) {
    Watch opened = store.watch(WatchQuery.prefix(prefix, revision + 1));
    watch = opened;
    if (!ready || cache.publishedRevision() < readyAt) {
      opened.requestProgress();
    }
    next(opened);
  }

  private void next(Watch from) {
    onLoop(
        from.next(),
        batch -> {
          take(batch);
          next(from);
        },
        failure -> followAgain(from, failure));
  }

  private void take(WatchBatch batch) {
    retryAfter = RETRY_MIN;
    cache.apply(batch);
    if (!ready && cache.publishedRevision() >= readyAt) {
      ready = true;
      cache.becomeReady();
    }
  }

  void requestProgress() {
    if (watch != null) {
      watch.requestProgress();
    }
  }

  private void followAgain(Watch failed, Throwable failure) {
    failed.close();
    watch = null;
    if (closed || failure instanceof StoreException.Closed) {
      return;
    }
    cache.figures().upstreamFailures.increment();
    if (failure instanceof StoreException.Compacted) {
      start();
      return;
    }
    later(() -> follow(cache.publishedRevision()));
  }

  private void startAgain(Throwable failure) {
    if (closed || failure instanceof StoreException.Closed) {
      return;
    }
    cache.figures().upstreamFailures.increment();
    later(this::start);
  }

  private void later(Runnable task) {
    var _ =
        loop.runLater(
            retryAfter,
            () -> {
              if (!closed) {
                task.run();
              }
            });
    long doubled = Math.min(retryAfter.toMillis() * 2, RETRY_MAX.toMillis());
    retryAfter = Duration.ofMillis(doubled / 2 + env.random().nextLong(doubled / 2 + 1));
  }

  void close() {
    closed = true;
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }

  private <T> void onLoop(
      CompletableFuture<T> future,
      java.util.function.Consumer<T> then,
      java.util.function.Consumer<Throwable> otherwise) {
    var _ =
        future.whenComplete(
            (value, failure) -> {
              Runnable task =
                  failure == null
                      ? () -> then.accept(value)
                      : () -> otherwise.accept(FutureFailure.cause(failure));
              try {
                loop.execute(
                    () -> {
                      if (!closed) {
                        task.run();
                      }
                    });
              } catch (java.util.concurrent.RejectedExecutionException e) {
                // Closed meanwhile: nobody waits for it.
              }
            });
  }
}
