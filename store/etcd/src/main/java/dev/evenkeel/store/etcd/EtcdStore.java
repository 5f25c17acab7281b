package dev.evenkeel.store.etcd;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.SnapshotInfo;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.StoreLimits;
import dev.evenkeel.store.StoreStats;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchQuery;
import dev.evenkeel.store.etcd.client.CallFailed;
import dev.evenkeel.store.etcd.client.EtcdClient;
import dev.evenkeel.store.etcd.client.EtcdCounters;
import dev.evenkeel.store.etcd.client.EtcdErrors;
import dev.evenkeel.store.etcd.client.EtcdOptions;
import dev.evenkeel.store.etcd.client.Keyspace;
import dev.evenkeel.store.etcd.client.LiveEtcdCounters;
import dev.evenkeel.store.etcd.read.Compaction;
import dev.evenkeel.store.etcd.read.HistoryRead;
import dev.evenkeel.store.etcd.read.LateWatch;
import dev.evenkeel.store.etcd.read.Mark;
import dev.evenkeel.store.etcd.read.RangeReader;
import dev.evenkeel.store.etcd.read.Upstream;
import dev.evenkeel.store.etcd.read.WatchHub;
import dev.evenkeel.store.etcd.read.WatchStreams;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store in an etcd cluster, version 3.4 or newer. Several engines, in one process or many, may
 * use one etcd: those with the same prefix are one store, those with different prefixes do not see
 * each other. Revisions count for the whole etcd, so that between two of a store's own there may be
 * others'.
 *
 * <p>A write without an answer is settled by reading back, see {@link Settlement}; what cannot be
 * settled fails with {@link StoreException.UnknownOutcome}.
 *
 * <p>{@link #snapshot} writes etcd's own format, the whole etcd in it. {@code etcdctl snapshot
 * restore} makes a data folder from the file, for a new cluster that has all revisions.
 *
 * <p><b>Threading.</b> As the contract says. The watches' state belongs to one loop; requests go
 * from the caller's thread to the transport.
 */
public final class EtcdStore implements Store {

  /** How long closing waits for answers to what was handed in, over the two timeouts. */
  private static final long CLOSE_SLACK_MILLIS = 1_000;

  private static final int KEY_BYTES_KEYS_MAX = 10_000;

  private final Env env;
  private final EtcdOptions options;
  private final Loop loop;
  private final LiveEtcdCounters tally = new LiveEtcdCounters();
  private final EtcdClient client;
  private final RangeReader reader;
  private final Compaction compaction;
  private final Transactions transactions;
  private final WatchHub hub;
  private final AtomicInteger pendingCommits = new AtomicInteger();
  private final Map<Long, CompletableFuture<?>> pending = new ConcurrentHashMap<>();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();

  private EtcdStore(Env env, EtcdOptions options) {
    this.env = env;
    this.options = options;
    this.loop = env.loop("etcd-store");
    var keyspace = new Keyspace(options.prefix());
    this.client = new EtcdClient(env, loop, options, tally);
    var streams = new WatchStreams(client, loop);
    this.compaction = new Compaction(client, keyspace, streams);
    this.reader = new RangeReader(client, keyspace, compaction);
    var settlement = new Settlement(client, keyspace, loop, env.clock(), options.settleTimeout());
    this.transactions = new Transactions(client, keyspace, options.limits(), settlement, tally);
    var mark = new Mark(client, keyspace, tally);
    this.hub =
        new WatchHub(
            loop,
            reader,
            (sink, position) ->
                new Upstream(
                    client, streams, keyspace, loop, env.clock(), mark, tally, sink, position),
            (prefix, from, to) -> {
              tally.historyReads.increment();
              return HistoryRead.start(streams, keyspace, loop, mark, prefix, from, to);
            });
  }

  /**
   * Connects, and waits until one endpoint answers with a majority behind it.
   *
   * @throws StoreException.Unavailable if none does within the request timeout
   */
  public static EtcdStore open(Env env, EtcdOptions options) {
    var store = new EtcdStore(env, options);
    try {
      store.await(store.reader.currentRevision());
      return store;
    } catch (StoreException e) {
      store.close();
      throw new StoreException.Unavailable(
          "no etcd can be used at "
              + String.join(", ", options.endpoints())
              + "; check that it runs, has a leader, and that these are its client addresses. "
              + e.getMessage(),
          e);
    }
  }

  private void await(CompletableFuture<?> future) {
    try {
      future.get(options.requestTimeout().toMillis() + CLOSE_SLACK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw storeException(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new StoreException.Unavailable("no answer in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException.Unavailable("interrupted while connecting", e);
    }
  }

  @Override
  public CompletableFuture<TxnResult> commit(Txn txn) {
    return answer(
        () -> {
          CompletableFuture<TxnResult> started = transactions.commit(txn);
          pendingCommits.incrementAndGet();
          return started.whenComplete((_, _) -> pendingCommits.decrementAndGet());
        });
  }

  @Override
  public CompletableFuture<GetResult> get(Bytes key, long revision) {
    return answer(
        () -> {
          limits().checkKey(key);
          limits().checkRevision(revision);
          return reader.get(key, revision);
        });
  }

  @Override
  public CompletableFuture<RangeResult> range(RangeQuery query) {
    return answer(
        () -> {
          limits().check(query);
          return reader.range(query);
        });
  }

  @Override
  public Watch watch(WatchQuery query) {
    if (closed.get()) {
      return LateWatch.failed(loop, new StoreException.Closed("the store is closed"));
    }
    try {
      limits().check(query);
    } catch (StoreException e) {
      return LateWatch.failed(loop, e);
    }
    return hub.watch(query);
  }

  @Override
  public CompletableFuture<Long> currentRevision() {
    return answer(reader::currentRevision);
  }

  @Override
  public CompletableFuture<@Nullable Void> compact(long revision) {
    return answer(
        () ->
            // A revision that nobody has heard of is most likely none; etcd will tell.
            revision > client.knownRevision()
                ? compaction.compact(revision)
                : hub.readyToCompact(revision, options.requestTimeout())
                    .thenCompose(_ -> compaction.compact(revision)));
  }

  @Override
  public CompletableFuture<SnapshotInfo> snapshot(Path file) {
    return answer(
        () ->
            SnapshotFile.take(
                    client,
                    env.loop("etcd-snapshot"),
                    file,
                    Long.toHexString(env.random().nextLong()))
                .thenCompose(
                    written ->
                        keysAt(written.revision())
                            .thenApply(
                                keys ->
                                    new SnapshotInfo(written.revision(), keys, written.bytes()))));
  }

  private CompletableFuture<Long> keysAt(long revision) {
    RangeQuery count = RangeQuery.prefix(Bytes.EMPTY).countOnly();
    return reader
        .range(count.at(revision))
        .exceptionallyCompose(
            error ->
                FutureFailure.cause(error) instanceof StoreException.Compacted
                    ? reader.range(count)
                    : CompletableFuture.failedFuture(FutureFailure.cause(error)))
        .thenApply(RangeResult::count);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Bytes of values are not known, bytes of keys only up to {@value #KEY_BYTES_KEYS_MAX} keys:
   * -1. Bytes on disk are those of the member that answered, all of the etcd's keys in them.
   */
  @Override
  public CompletableFuture<StoreStats> stats() {
    return answer(
        () -> {
          var count = reader.range(RangeQuery.prefix(Bytes.EMPTY).countOnly());
          var keyBytes = count.thenCompose(counted -> keyBytes(counted.count()));
          var compacted = compactedRevision();
          var status =
              client.read(MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance());
          return CompletableFuture.allOf(count, keyBytes, compacted, status)
              .thenApplyAsync(
                  _ ->
                      new StoreStats(
                          count.join().revision(),
                          compacted.join(),
                          count.join().count(),
                          keyBytes.join(),
                          -1,
                          status.join().getDbSize(),
                          -1,
                          hub.watches(),
                          hub.watchedPrefixes(),
                          pendingCommits.get()),
                  loop);
        });
  }

  /** etcd does not count bytes: read the keys, if they are not too many for a mere figure. */
  private CompletableFuture<Long> keyBytes(long keys) {
    return keys > KEY_BYTES_KEYS_MAX
        ? CompletableFuture.completedFuture(-1L)
        : reader
            .range(RangeQuery.prefix(Bytes.EMPTY).keysOnly())
            .thenApply(
                range -> range.items().stream().mapToLong(item -> item.key().length()).sum());
  }

  /** 0 while the first revision can be read. */
  private CompletableFuture<Long> compactedRevision() {
    return reader
        .checkReadable(FIRST_REVISION)
        .thenApply(_ -> compaction.known())
        .exceptionallyCompose(
            error ->
                FutureFailure.cause(error) instanceof StoreException.Compacted compacted
                    ? CompletableFuture.completedFuture(compacted.compactedRevision())
                    : CompletableFuture.failedFuture(FutureFailure.cause(error)));
  }

  @Override
  public StoreLimits limits() {
    return options.limits();
  }

  /** What the engine went through since it was opened. */
  public EtcdCounters counters() {
    return tally.counters();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    boolean own = loop.inLoop();
    if (!own) {
      awaitPending();
    }
    try {
      if (own) {
        hub.close();
      } else {
        var told = new CompletableFuture<Void>();
        loop.execute(
            () -> {
              hub.close();
              told.complete(null);
            });
        told.join();
      }
    } catch (RejectedExecutionException _) {
      // Nothing is left to tell.
    }
    client.close();
    loop.close();
    for (CompletableFuture<?> left : pending.values()) {
      left.completeExceptionally(
          new StoreException.UnknownOutcome("the store was closed before etcd answered", null));
    }
  }

  private void awaitPending() {
    long waitMillis =
        options.requestTimeout().toMillis()
            + options.settleTimeout().toMillis()
            + CLOSE_SLACK_MILLIS;
    try {
      CompletableFuture.allOf(pending.values().toArray(CompletableFuture[]::new))
          .get(waitMillis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException _) {
      // Answered, one way or the other, or not in time.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts a request and sees to it that its future fails with StoreExceptions only. */
  private <T extends @Nullable Object> CompletableFuture<T> answer(
      Supplier<CompletableFuture<T>> request) {
    if (closed.get()) {
      return CompletableFuture.failedFuture(new StoreException.Closed("the store is closed"));
    }
    CompletableFuture<T> started;
    try {
      started = request.get();
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
    var result = new CompletableFuture<T>();
    long number = requests.incrementAndGet();
    pending.put(number, result);
    var _ =
        started.whenComplete(
            (value, error) -> {
              pending.remove(number);
              if (error == null) {
                result.complete(value);
              } else {
                result.completeExceptionally(storeException(FutureFailure.cause(error)));
              }
            });
    return result;
  }

  private static StoreException storeException(@Nullable Throwable error) {
    return switch (error) {
      case StoreException expected -> expected;
      case CallFailed failure -> EtcdErrors.notDone(failure);
      case CompletionException wrapped when wrapped.getCause() != null ->
          storeException(wrapped.getCause());
      case null, default ->
          new StoreException.Unavailable("unexpected while dealing with etcd: " + error, error);
    };
  }
}
