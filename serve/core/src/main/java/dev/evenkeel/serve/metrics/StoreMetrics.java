package dev.evenkeel.serve.metrics;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Clock;
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
import dev.evenkeel.store.WatchQuery;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How long the store takes to answer. */
public final class StoreMetrics {

  private static final double BILLION = 1e9;

  private final Clock clock;
  private final DistributionDataPoint commits;
  private final DistributionDataPoint gets;
  private final DistributionDataPoint ranges;

  StoreMetrics(Clock clock, Histogram seconds) {
    this.clock = clock;
    this.commits = seconds.labelValues("txn");
    this.gets = seconds.labelValues("get");
    this.ranges = seconds.labelValues("list");
  }

  /** The same store, measured. Who closes it closes the store. */
  public Store measured(Store store) {
    return new Measured(store);
  }

  private <T> CompletableFuture<T> timed(
      DistributionDataPoint of, long began, CompletableFuture<T> answer) {
    var _ = answer.whenComplete((_, _) -> of.observe((clock.nanoTime() - began) / BILLION));
    // The store's own: what depends on it would fail with the failure wrapped.
    return answer;
  }

  private final class Measured implements Store {
    private final Store store;

    Measured(Store store) {
      this.store = store;
    }

    @Override
    public CompletableFuture<TxnResult> commit(Txn txn) {
      return timed(commits, clock.nanoTime(), store.commit(txn));
    }

    @Override
    public CompletableFuture<GetResult> get(Bytes key, long revision) {
      return timed(gets, clock.nanoTime(), store.get(key, revision));
    }

    @Override
    public CompletableFuture<RangeResult> range(RangeQuery query) {
      return timed(ranges, clock.nanoTime(), store.range(query));
    }

    @Override
    public Watch watch(WatchQuery query) {
      return store.watch(query);
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

    @Override
    public void close() {
      store.close();
    }
  }
}
