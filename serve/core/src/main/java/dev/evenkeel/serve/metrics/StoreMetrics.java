package dev.evenkeel.serve.metrics;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.metric.Buckets;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.kernel.metric.Series;
import dev.evenkeel.store.Compare;
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
import dev.evenkeel.store.Write;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How long the store takes to answer, and what it says of itself.
 *
 * <p><b>Invariants:</b> at most {@link #SERIES_MAX} combinations of operation and kind are told
 * apart; what comes later, and what is of no kind, is counted without one.
 */
public final class StoreMetrics {

  private static final int SERIES_MAX = 2_000;

  /** Where objects are, by group and resource; {@code core} is the group that has no name. */
  private static final Bytes OBJECTS = Bytes.utf8("/registry/");

  private static final String CORE = "core";

  /** What was asked of which kind: {@code group/resource}. */
  private record Asked(String operation, String kind) {}

  private final Clock clock;
  private final Series<Asked, DistributionDataPoint> seconds;
  private final Series<Asked, CounterDataPoint> failures;
  private volatile @Nullable StoreStats stats;

  StoreMetrics(Clock clock, Meters meters) {
    this.clock = clock;
    String[] labels = {"operation", "group", "resource"};
    Histogram latency =
        meters.histogram(
            "etcd_request_duration_seconds",
            "How long the store took, whichever engine it is",
            Buckets.requests(),
            labels);
    Counter errors =
        meters.counter(
            "etcd_request_errors_total",
            "Requests that the store failed to answer, whichever engine it is",
            labels);
    this.seconds = new Series<>(SERIES_MAX, StoreMetrics::ofAnyKind, by(latency::labelValues));
    this.failures = new Series<>(SERIES_MAX, StoreMetrics::ofAnyKind, by(errors::labelValues));
    said(meters, "evenkeel_store_revision", "Newest revision of the store", StoreStats::revision);
    said(
        meters,
        "evenkeel_store_compacted_revision",
        "History below it is gone",
        StoreStats::compactedRevision);
    said(meters, "evenkeel_store_keys", "Keys in the store", StoreStats::keys);
    said(meters, "evenkeel_store_value_bytes", "Bytes of values", StoreStats::valueBytes);
    said(meters, "evenkeel_store_disk_bytes", "Bytes on disk", StoreStats::diskBytes);
    said(meters, "evenkeel_store_memory_bytes", "Bytes the engine holds", StoreStats::memoryBytes);
    meters.measured(
        "apiserver_storage_size_bytes",
        "Bytes on disk, under the name that dashboards for Kubernetes use",
        List.of("storage_cluster_id"),
        values -> {
          StoreStats known = stats;
          if (known != null) {
            values.is((double) known.diskBytes(), "etcd-0");
          }
        });
  }

  private static Asked ofAnyKind(Asked asked) {
    return new Asked(asked.operation, "");
  }

  private static <T> Function<Asked, T> by(Function<String[], T> labelled) {
    return asked -> {
      int slash = asked.kind.indexOf('/');
      String group = slash < 0 ? "" : asked.kind.substring(0, slash);
      return labelled.apply(
          new String[] {
            asked.operation,
            group.equals(CORE) ? "" : group,
            slash < 0 ? "" : asked.kind.substring(slash + 1)
          });
    };
  }

  private void said(Meters meters, String name, String help, ToLongFunction<StoreStats> figure) {
    meters.measured(
        name,
        help,
        List.of(),
        values -> {
          StoreStats known = stats;
          if (known != null) {
            values.is((double) figure.applyAsLong(known));
          }
        });
  }

  /**
   * Has the store say anew what it knows of itself. The last answer is shown: a page must not wait
   * for a store that hangs.
   */
  public void refresh(Store store) {
    var _ = store.stats().thenAccept(answer -> stats = answer);
  }

  /** The same store, measured. Who closes it closes the store. */
  public Store measured(Store store) {
    return new Measured(store);
  }

  /** The kind that a key is of, as {@code group/resource}; empty if it is no object's. */
  private static String kind(Bytes key) {
    if (!key.startsWith(OBJECTS)) {
      return "";
    }
    int from = OBJECTS.length();
    int end = from;
    for (int slashes = 0; end < key.length(); end++) {
      if (key.at(end) == '/' && ++slashes == 2) {
        break;
      }
    }
    return new String(key.array(), from, end - from, StandardCharsets.UTF_8);
  }

  /** By the first object that it writes; ledgers and claims are written along with objects. */
  private static Asked asked(Txn txn) {
    for (Write write : txn.writes()) {
      String kind = kind(write.key());
      if (!kind.isEmpty()) {
        return new Asked(operation(txn, write), kind);
      }
    }
    return new Asked("txn", "");
  }

  private static String operation(Txn txn, Write write) {
    return switch (write) {
      case Write.Delete _ -> "delete";
      case Write.Put put ->
          txn.compares().stream()
                  .anyMatch(
                      compare ->
                          compare instanceof Compare.Absent absent
                              && absent.key().equals(put.key()))
              ? "create"
              : "update";
    };
  }

  private <T> CompletableFuture<T> timed(Asked asked, long began, CompletableFuture<T> answer) {
    var _ =
        answer.whenComplete(
            (_, failure) -> {
              seconds.of(asked).observe(Meters.seconds(clock.nanoTime() - began));
              if (failure != null) {
                failures.of(asked).inc();
              }
            });
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
      return timed(asked(txn), clock.nanoTime(), store.commit(txn));
    }

    @Override
    public CompletableFuture<GetResult> get(Bytes key, long revision) {
      return timed(new Asked("get", kind(key)), clock.nanoTime(), store.get(key, revision));
    }

    @Override
    public CompletableFuture<RangeResult> range(RangeQuery query) {
      return timed(new Asked("list", kind(query.prefix())), clock.nanoTime(), store.range(query));
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
