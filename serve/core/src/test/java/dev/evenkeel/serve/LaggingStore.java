package dev.evenkeel.serve;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.SnapshotInfo;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreLimits;
import dev.evenkeel.store.StoreStats;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A store as seen over a slow line: what its watches say comes late, all else at once. */
final class LaggingStore implements Store {

  private final Loop loop;
  private final Store store;
  private final Duration lag;

  LaggingStore(Env env, Store store, Duration lag) {
    this.loop = env.loop("slow-line");
    this.store = store;
    this.lag = lag;
  }

  @Override
  public Watch watch(WatchQuery query) {
    Watch watch = store.watch(query);
    return new Watch() {
      @Override
      public CompletableFuture<WatchBatch> next() {
        var late = new CompletableFuture<WatchBatch>();
        var _ =
            watch
                .next()
                .whenComplete(
                    (batch, failure) -> {
                      if (batch == null) {
                        late.completeExceptionally(failure);
                      } else {
                        var _ = loop.runLater(lag, () -> late.complete(batch));
                      }
                    });
        return late;
      }

      @Override
      public void requestProgress() {
        watch.requestProgress();
      }

      @Override
      public void close() {
        watch.close();
      }
    };
  }

  @Override
  public CompletableFuture<TxnResult> commit(Txn txn) {
    return store.commit(txn);
  }

  @Override
  public CompletableFuture<GetResult> get(Bytes key, long revision) {
    return store.get(key, revision);
  }

  @Override
  public CompletableFuture<RangeResult> range(RangeQuery query) {
    return store.range(query);
  }

  @Override
  public CompletableFuture<Long> currentRevision() {
    return store.currentRevision();
  }

  @Override
  public CompletableFuture<@Nullable Void> compact(long revision) {
    return store.compact(revision);
  }

  @Override
  public CompletableFuture<SnapshotInfo> snapshot(Path file) {
    return store.snapshot(file);
  }

  @Override
  public CompletableFuture<StoreStats> stats() {
    return store.stats();
  }

  @Override
  public StoreLimits limits() {
    return store.limits();
  }

  /** The store stays its opener's to close. */
  @Override
  public void close() {}
}
