package dev.evenkeel.serve.ledger;

import dev.evenkeel.kernel.bytes.Bytes;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A store that makes what it is sent when a test says so. */
final class HeldStore implements Store {

  private final Store store;

  /** All that was sent, in order. */
  final List<Sent> sent = new ArrayList<>();

  boolean holds;

  /** A transaction and its answer. */
  record Sent(Txn txn, CompletableFuture<TxnResult> answer) {}

  HeldStore(Store store) {
    this.store = store;
  }

  @Override
  public CompletableFuture<TxnResult> commit(Txn txn) {
    var one = new Sent(txn, new CompletableFuture<>());
    sent.add(one);
    if (!holds) {
      release(one);
    }
    return one.answer;
  }

  void release(int index) {
    release(sent.get(index));
  }

  private void release(Sent one) {
    var _ =
        store
            .commit(one.txn)
            .whenComplete(
                (result, failure) -> {
                  if (failure != null) {
                    one.answer.completeExceptionally(failure);
                  } else {
                    one.answer.complete(result);
                  }
                });
  }

  /** Makes it, and lets nobody know. */
  void makeAndLose(int index) {
    Sent one = sent.get(index);
    var _ =
        store
            .commit(one.txn)
            .whenComplete(
                (_, _) ->
                    one.answer.completeExceptionally(
                        new StoreException.UnknownOutcome("no answer", null)));
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
