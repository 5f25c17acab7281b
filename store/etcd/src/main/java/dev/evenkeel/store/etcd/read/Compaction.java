package dev.evenkeel.store.etcd.read;

import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.etcd.client.CallFailed;
import dev.evenkeel.store.etcd.client.EtcdClient;
import dev.evenkeel.store.etcd.client.EtcdErrors;
import dev.evenkeel.store.etcd.client.Keyspace;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Compaction, and how far it has come.
 *
 * <p>etcd refuses to read a compacted revision without saying which is the oldest it has. It does
 * say so to a watch from such a revision, so that is how one asks.
 *
 * <p><b>Threading.</b> Any thread.
 */
public final class Compaction {

  private final EtcdClient client;
  private final Keyspace keyspace;
  private final WatchStreams streams;
  private final AtomicLong known = new AtomicLong();

  public Compaction(EtcdClient client, Keyspace keyspace, WatchStreams streams) {
    this.client = client;
    this.keyspace = keyspace;
    this.streams = streams;
  }

  /** What this engine has heard of; others may have compacted more. */
  public long known() {
    return known.get();
  }

  /** Fails with Compacted, for a revision that etcd has called compacted. */
  <T extends @Nullable Object> CompletableFuture<T> compacted(long revision) {
    return streams
        .compactedRevision(keyspace.mark(), Math.max(1, revision))
        .thenCompose(
            compacted -> {
              learn(compacted);
              return CompletableFuture.failedFuture(
                  new StoreException.Compacted(revision, compacted));
            });
  }

  void learn(long compacted) {
    known.accumulateAndGet(compacted, Math::max);
  }

  public CompletableFuture<@Nullable Void> compact(long revision) {
    if (revision < 1) {
      return CompletableFuture.failedFuture(
          new StoreException.InvalidRequest(
              "cannot compact revision " + revision + "; the first revision is 1"));
    }
    var request = CompactionRequest.newBuilder().setRevision(revision).build();
    return client
        .write(KVGrpc.getCompactMethod(), request, new CompletableFuture<>())
        .<@Nullable Void>thenApply(
            response -> {
              client.learnRevision(response.getHeader().getRevision());
              learn(revision);
              return null;
            })
        .exceptionallyCompose(error -> failed(request, FutureFailure.cause(error)));
  }

  private static Throwable notDone(Throwable error) {
    return FutureFailure.cause(error) instanceof CallFailed failure
        ? EtcdErrors.notDone(failure)
        : FutureFailure.cause(error);
  }

  private CompletableFuture<@Nullable Void> failed(CompactionRequest request, Throwable error) {
    if (!(error instanceof CallFailed failure)) {
      return CompletableFuture.failedFuture(error);
    }
    long revision = request.getRevision();
    if (EtcdErrors.isCompacted(failure)) {
      // A watch can start at the compacted revision itself, as etcd sees it: ask from below.
      return this.<@Nullable Void>compacted(Math.max(1, revision - 1))
          .exceptionallyCompose(
              e ->
                  CompletableFuture.failedFuture(
                      FutureFailure.cause(e) instanceof StoreException.Compacted c
                          ? new StoreException.Compacted(revision, c.compactedRevision())
                          : FutureFailure.cause(e)));
    }
    if (EtcdErrors.isFuture(failure)) {
      return client
          .read(KVGrpc.getRangeMethod(), RangeRequest.newBuilder().setKey(keyspace.mark()).build())
          .exceptionallyCompose(e -> CompletableFuture.failedFuture(notDone(e)))
          .thenCompose(
              response ->
                  CompletableFuture.failedFuture(
                      new StoreException.FutureRevision(
                          revision, response.getHeader().getRevision())));
    }
    if (failure.certainlyNotDone()) {
      return CompletableFuture.failedFuture(EtcdErrors.notDone(failure));
    }
    // It does no harm to compact twice: whatever became of the first, the second time tells.
    return client
        .read(KVGrpc.getCompactMethod(), request)
        .<@Nullable Void>thenApply(
            _ -> {
              learn(revision);
              return null;
            })
        .exceptionallyCompose(
            second ->
                FutureFailure.cause(second) instanceof CallFailed again
                        && EtcdErrors.isCompacted(again)
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(
                        new StoreException.UnknownOutcome(
                            "the compaction was sent to etcd and not answered: "
                                + failure.getMessage(),
                            failure)));
  }
}
