package dev.evenkeel.store.engine.mvcc;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
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
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store on a journal: what the local engines have in common, which is all but the journal.
 *
 * <p><b>Threading.</b> Three loops: the sequencer changes, the hub delivers, the background one
 * reads history and prunes; a snapshot has one of its own. Reads run on the caller's thread.
 */
public final class MvccStore implements Store {

  private final Env env;
  private final Journal journal;
  private final MvccOptions options;
  private final MvccState state;
  private final Loop background;
  private final WatchHub hub;
  private final Sequencer sequencer;
  private final Pruner pruner;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Starts a store on the journal, which it closes in the end. */
  public MvccStore(Env env, Journal journal, MvccOptions options) {
    this.env = env;
    this.journal = journal;
    this.options = options;
    this.state = new MvccState(journal, options.valueCacheBytesMax());
    this.background = env.loop("store-background");
    this.hub = new WatchHub(env.loop("store-hub"), background, state, journal, options);
    this.sequencer = new Sequencer(env.loop("store-sequencer"), state, journal, hub, options);
    this.pruner = new Pruner(background, sequencer, state, journal);
    pruner.prune();
  }

  @Override
  public CompletableFuture<TxnResult> commit(Txn txn) {
    return sequencer.submit(txn);
  }

  @Override
  public CompletableFuture<GetResult> get(Bytes key, long revision) {
    return answer(
        () -> {
          options.limits().checkKey(key);
          options.limits().checkRevision(revision);
          return reading(
              revision,
              asOf -> {
                Head head = state.head(key);
                return new GetResult(asOf, head == null ? null : state.asOf(key, head, asOf, true));
              });
        });
  }

  @Override
  public CompletableFuture<RangeResult> range(RangeQuery query) {
    return answer(
        () -> {
          options.limits().check(query);
          return reading(query.revision(), asOf -> read(query, asOf));
        });
  }

  /** A read at one revision. */
  private interface Read<T> {
    T at(long revision);
  }

  /**
   * Reads at the revision asked for. Compaction may pass it while the read is under way and take
   * versions from under it; then the newest is read anew, and an older one is gone.
   */
  private <T> T reading(long asked, Read<T> read) {
    while (true) {
      long revision = asked == NEWEST ? state.revision() : asked;
      if (asked != NEWEST) {
        state.checkReadable(asked);
      }
      T result = null;
      StoreException.Corrupt missing = null;
      try {
        result = read.at(revision);
      } catch (StoreException.Corrupt e) {
        missing = e; // or only pruned, which is looked at first
      }
      if (revision >= state.compactedRevision()) {
        if (result == null) {
          throw Objects.requireNonNull(missing);
        }
        return result;
      }
    }
  }

  private RangeResult read(RangeQuery query, long asOf) {
    Bytes start = query.start().compareTo(query.prefix()) > 0 ? query.start() : query.prefix();
    boolean counting = query.content() == RangeQuery.Content.COUNT;
    boolean withValues = query.content() == RangeQuery.Content.VALUES;
    var items = new ArrayList<KeyValue>();
    boolean[] more = {false};
    long[] count = {0};
    state.visit(
        start,
        (key, head) -> {
          if (!key.startsWith(query.prefix())) {
            return false;
          }
          boolean full = !counting && query.limit() > 0 && items.size() == query.limit();
          KeyValue item = state.asOf(key, head, asOf, withValues && !full);
          if (item == null) {
            return true;
          }
          if (full) {
            more[0] = true;
            return false;
          }
          count[0]++;
          if (!counting) {
            items.add(withValues ? item : withoutValue(item));
          }
          return true;
        });
    return new RangeResult(asOf, List.copyOf(items), more[0], count[0]);
  }

  private static KeyValue withoutValue(KeyValue item) {
    return item.value().isEmpty()
        ? item
        : new KeyValue(
            item.key(), Bytes.EMPTY, item.createRevision(), item.modRevision(), item.version());
  }

  @Override
  public Watch watch(WatchQuery query) {
    try {
      options.limits().check(query);
      if (closed.get()) {
        throw new StoreException.Closed("the store is closed");
      }
    } catch (StoreException e) {
      return new RefusedWatch(e);
    }
    return hub.watch(query);
  }

  /** A watch that never began. */
  private record RefusedWatch(StoreException why) implements Watch {
    @Override
    public CompletableFuture<WatchBatch> next() {
      return CompletableFuture.failedFuture(why);
    }

    @Override
    public void requestProgress() {}

    @Override
    public void close() {}
  }

  @Override
  public CompletableFuture<Long> currentRevision() {
    return answer(state::revision);
  }

  @Override
  public CompletableFuture<@Nullable Void> compact(long revision) {
    return on(
        sequencer.loop(),
        () -> {
          if (revision < 1) {
            throw new StoreException.InvalidRequest(
                "compaction at revision " + revision + "; the first revision is 1");
          }
          if (revision <= state.compactedRevision()) {
            throw new StoreException.Compacted(revision, state.compactedRevision());
          }
          state.checkReadable(revision);
          journal.compacted(revision);
          state.compacted(revision);
          pruner.prune();
          return null;
        });
  }

  @Override
  public CompletableFuture<SnapshotInfo> snapshot(Path file) {
    if (closed.get()) {
      return CompletableFuture.failedFuture(new StoreException.Closed("the store is closed"));
    }
    Loop loop = env.loop("store-snapshot");
    CompletableFuture<SnapshotInfo> result = on(loop, () -> write(file));
    var _ = result.whenComplete((_, _) -> loop.close());
    return result;
  }

  private SnapshotInfo write(Path file) {
    long revision = pruner.pin();
    try (var writer = new SnapshotFile.Writer(file, revision)) {
      state.visit(
          Bytes.EMPTY,
          (_, head) -> {
            KeyChange change = state.versionAsOf(head, revision);
            if (change != null && change.value() != null) {
              writer.add(change);
            }
            return true;
          });
      return writer.finish();
    } catch (IOException | UncheckedIOException e) {
      throw new StoreException.Unavailable(
          "the snapshot " + file + " cannot be written: " + e + "; choose another place", e);
    } finally {
      pruner.unpin(revision);
    }
  }

  @Override
  public CompletableFuture<StoreStats> stats() {
    if (closed.get()) {
      return CompletableFuture.failedFuture(new StoreException.Closed("the store is closed"));
    }
    long diskBytes = journal.diskBytes(); // here: looking at files must not hold up the hub
    return on(
        hub.loop(),
        () -> {
          WatchHub.Counts counts = hub.counts();
          MvccState.Totals totals = state.totals();
          return new StoreStats(
              state.revision(),
              state.compactedRevision(),
              totals.keys(),
              totals.keyBytes(),
              totals.valueBytes(),
              diskBytes,
              state.memoryBytes() + counts.windowBytes(),
              counts.watches(),
              counts.prefixes(),
              sequencer.pendingCommits());
        });
  }

  @Override
  public StoreLimits limits() {
    return options.limits();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      sequencer.close();
      hub.close();
      background.close();
      journal.close();
    }
  }

  private <T> CompletableFuture<T> answer(Supplier<T> read) {
    if (closed.get()) {
      return CompletableFuture.failedFuture(new StoreException.Closed("the store is closed"));
    }
    try {
      return CompletableFuture.completedFuture(read.get());
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static <T extends @Nullable Object> CompletableFuture<T> on(Loop loop, Supplier<T> work) {
    var result = new CompletableFuture<T>();
    try {
      loop.execute(
          () -> {
            try {
              result.complete(work.get());
            } catch (StoreException e) {
              result.completeExceptionally(e);
            } catch (Throwable e) { // an Error too: somebody waits for the answer
              result.completeExceptionally(new StoreException.Unavailable("failed: " + e, e));
            }
          });
    } catch (RejectedExecutionException _) {
      result.completeExceptionally(new StoreException.Closed("the store is closed"));
    }
    return result;
  }
}
