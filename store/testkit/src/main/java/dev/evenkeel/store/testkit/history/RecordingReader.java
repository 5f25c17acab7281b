package dev.evenkeel.store.testkit.history;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A watcher that records what it is told, and every now and then closes its watch and goes on with
 * a new one from where it was. It does the same when its watch fails or the store is replaced.
 *
 * <p><b>Threading.</b> {@link #run} on its own thread; {@link #drain} from any.
 */
final class RecordingReader implements Runnable {

  private static final long LOOK_UP_MILLIS = 50;
  private static final long RETRY_MILLIS = 5;
  private static final int BATCHES_PER_WATCH_MAX = 30;
  private static final long DRAIN_BOUND_SECONDS = 60;

  private final HistoryRecorder.ReaderLog log;
  private final Supplier<Store> stores;
  private final Bytes prefix;
  private final SplittableRandom random;
  private long reached;
  private volatile long target = Long.MAX_VALUE;
  private volatile long deadlineNanos = Long.MAX_VALUE;

  RecordingReader(
      HistoryRecorder.ReaderLog log,
      Supplier<Store> stores,
      Bytes prefix,
      long startRevision,
      SplittableRandom random) {
    this.log = log;
    this.stores = stores;
    this.prefix = prefix;
    this.reached = startRevision;
    this.random = random;
  }

  /** Tells it to read up to the revision and then to stop. */
  void drain(long revision) {
    log.mustReach(revision);
    deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_BOUND_SECONDS);
    target = revision;
  }

  @Override
  public void run() {
    while (reached < target && System.nanoTime() < deadlineNanos) {
      try {
        readOneWatch();
      } catch (StoreException e) {
        // Whatever ended the watch, the reader goes on from where it was; if it cannot, the checker
        // sees that it never reached its target.
        Pause.millis(RETRY_MILLIS);
      }
    }
  }

  private void readOneWatch() {
    Store store = stores.get();
    var query = new WatchQuery(prefix, reached + 1, random.nextBoolean());
    int batches = 1 + random.nextInt(BATCHES_PER_WATCH_MAX);
    try (Watch watch = store.watch(query)) {
      log.opened(query);
      for (int i = 0; i < batches && reached < target; i++) {
        if (random.nextInt(4) == 0) {
          watch.requestProgress();
        }
        if (!readBatch(store, watch)) {
          return;
        }
      }
    }
  }

  /** False if there is no use in waiting any longer. */
  private boolean readBatch(Store store, Watch watch) {
    CompletableFuture<WatchBatch> next = watch.next();
    while (System.nanoTime() < deadlineNanos && stores.get().equals(store)) {
      try {
        WatchBatch batch = next.get(LOOK_UP_MILLIS, TimeUnit.MILLISECONDS);
        log.delivered(batch);
        reached = Math.max(reached, batch.revision());
        return true;
      } catch (TimeoutException e) {
        if (target != Long.MAX_VALUE) {
          watch.requestProgress();
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof StoreException storeException) {
          throw storeException;
        }
        throw new IllegalStateException("a watch failed with a foreign exception", e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
    return false;
  }
}
