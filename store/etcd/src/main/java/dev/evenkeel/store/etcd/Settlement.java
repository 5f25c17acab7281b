package dev.evenkeel.store.etcd;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Write;
import dev.evenkeel.store.etcd.client.EtcdClient;
import dev.evenkeel.store.etcd.client.Keyspace;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what became of a transaction that was sent and not answered, by reading back.
 *
 * <p><b>Committed</b> is what it says when there is a revision, later than anything known before
 * the sending, at which all keys to be put were written with their values, all keys to be deleted
 * were gone, and just before which all comparisons held; and when this engine knows of no other
 * transaction of its own at that revision. Two processes that write the very same values under the
 * same comparisons cannot be told apart by this: values that name their writer can.
 *
 * <p><b>Rejected</b> is what it says when the transaction was not carried out so far and can not be
 * later, though the request may still be under way: when it compares a mod revision that its key
 * has left for good.
 *
 * <p><b>Not done</b> is what it says of a transaction that etcd has answered with a refusal which
 * it also gives for what it has carried out: when none of its first put's key's writes since the
 * sending is ours. Nothing is under way any more, so what is not there now will not come.
 *
 * <p>Everything else stays unknown. As long as there is time it looks again, because what is under
 * way may arrive.
 *
 * <p><b>Threading.</b> Any thread; no state but the claimed revisions, which are atomic.
 */
final class Settlement {

  /** Reads the keys as of a revision. */
  interface Reader {
    CompletableFuture<Map<Bytes, KeyValue>> readAt(List<Bytes> keys, long revision);
  }

  /** How many writes of one key are looked at, newest first, in search of ours. */
  private static final int STEPS_MAX = 64;

  /** How many revisions without the key are looked at, newest first, and how many at once. */
  private static final int GAP_REVISIONS_MAX = 1024;

  private static final int GAP_READS = 64;

  private static final int CLAIMS_MAX = 4096;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final EtcdClient client;
  private final Keyspace keyspace;
  private final Loop timers;
  private final Clock clock;
  private final Duration timeout;

  /** Recent revisions that belong to a transaction of this engine, each in the slot it falls in. */
  private final AtomicLongArray claims = new AtomicLongArray(CLAIMS_MAX);

  Settlement(EtcdClient client, Keyspace keyspace, Loop timers, Clock clock, Duration timeout) {
    this.client = client;
    this.keyspace = keyspace;
    this.timers = timers;
    this.clock = clock;
    this.timeout = timeout;
  }

  /** Takes the revision for one transaction. False if it was taken before. */
  boolean claim(long revision) {
    return claims.getAndSet((int) (revision % CLAIMS_MAX), revision) != revision;
  }

  /**
   * How it ended, or null if that cannot be told. Fails with the refusal only.
   *
   * @param refusal what etcd has answered, if it has: the truth if the transaction was not done
   * @param elsewhere done if the outcome has become known otherwise: the search then ends
   */
  CompletableFuture<@Nullable TxnResult> settle(
      Txn txn,
      long revisionBefore,
      Reader reader,
      @Nullable StoreException refusal,
      CompletableFuture<?> elsewhere) {
    var result = new CompletableFuture<@Nullable TxnResult>();
    long deadlineNanos = clock.nanoTime() + timeout.toNanos();
    look(new Case(txn, revisionBefore, reader, refusal), deadlineNanos, elsewhere, result);
    return result;
  }

  private void look(
      Case open,
      long deadlineNanos,
      CompletableFuture<?> elsewhere,
      CompletableFuture<@Nullable TxnResult> result) {
    var _ =
        open.look()
            .whenComplete(
                (found, error) -> {
                  if (error != null && FutureFailure.cause(error) == open.refusal) {
                    result.completeExceptionally(open.refusal);
                    return;
                  }
                  if (found != null
                      || elsewhere.isDone()
                      || clock.nanoTime() + PAUSE.toNanos() >= deadlineNanos) {
                    result.complete(found);
                    return;
                  }
                  try {
                    var _ =
                        timers.runLater(PAUSE, () -> look(open, deadlineNanos, elsewhere, result));
                  } catch (RejectedExecutionException _) {
                    result.complete(null);
                  }
                });
  }

  /** One transaction's case. */
  private final class Case {

    private final Txn txn;
    private final long revisionBefore;
    private final Reader reader;
    private final @Nullable StoreException refusal;

    Case(Txn txn, long revisionBefore, Reader reader, @Nullable StoreException refusal) {
      this.txn = txn;
      this.revisionBefore = revisionBefore;
      this.reader = reader;
      this.refusal = refusal;
    }

    /** Null if it cannot be told now; may fail, which is the same. */
    CompletableFuture<@Nullable TxnResult> look() {
      Write.Put witness = null;
      for (Write write : txn.writes()) {
        if (write instanceof Write.Put put) {
          witness = put;
          break;
        }
      }
      if (witness == null) {
        // Who deleted a key leaves no name behind.
        return CompletableFuture.completedFuture(null);
      }
      return search(witness, 0, 0, 0);
    }

    /**
     * Looks for our value among the writes of one key, newest first.
     *
     * @param at the revision to read at, 0 for the newest
     * @param newest the revision of the first read; 0 before it
     */
    private CompletableFuture<@Nullable TxnResult> search(
        Write.Put witness, long at, long newest, int steps) {
      var request =
          RangeRequest.newBuilder().setKey(keyspace.etcdKey(witness.key())).setRevision(at).build();
      return client
          .read(KVGrpc.getRangeMethod(), request)
          .thenCompose(
              response -> {
                client.learnRevision(response.getHeader().getRevision());
                long top = newest == 0 ? response.getHeader().getRevision() : newest;
                if (steps == STEPS_MAX) {
                  return CompletableFuture.completedFuture(null);
                }
                if (response.getKvsCount() == 0) {
                  // Deleted in between, or never there. Of no use while it may still arrive.
                  return refusal == null
                      ? CompletableFuture.completedFuture(null)
                      : searchGap(witness, at == 0 ? top : at, top, steps);
                }
                KeyValue state = keyspace.keyValue(response.getKvs(0));
                if (state.modRevision() <= revisionBefore) {
                  return impossible(top);
                }
                CompletableFuture<@Nullable TxnResult> here =
                    state.value().equals(witness.value())
                        ? verify(state.modRevision())
                        : CompletableFuture.completedFuture(null);
                return here.thenCompose(
                    found ->
                        found != null
                            ? CompletableFuture.completedFuture(found)
                            : search(witness, state.modRevision() - 1, top, steps + 1));
              });
    }

    /**
     * Goes on below revisions at which the key is not there. A key that was put and deleted again
     * shows only at the revisions between, so they are all looked at.
     */
    private CompletableFuture<@Nullable TxnResult> searchGap(
        Write.Put witness, long at, long newest, int steps) {
      if (at <= revisionBefore) {
        return impossible(newest);
      }
      if (newest - at >= GAP_REVISIONS_MAX) {
        return CompletableFuture.completedFuture(null);
      }
      long lowest = Math.max(revisionBefore + 1, at - GAP_READS + 1);
      var request = TxnRequest.newBuilder();
      for (long revision = at; revision >= lowest; revision--) {
        request.addSuccess(
            RequestOp.newBuilder()
                .setRequestRange(
                    RangeRequest.newBuilder()
                        .setKey(keyspace.etcdKey(witness.key()))
                        .setRevision(revision)
                        .setKeysOnly(true)));
      }
      return client
          .read(KVGrpc.getTxnMethod(), request.build())
          .thenCompose(
              response -> {
                for (int i = 0; i < response.getResponsesCount(); i++) {
                  if (response.getResponses(i).getResponseRange().getKvsCount() > 0) {
                    return search(witness, at - i, newest, steps + 1);
                  }
                }
                return searchGap(witness, lowest - 1, newest, steps);
              });
    }

    /** Whether the transaction at the revision can have been ours. */
    private CompletableFuture<@Nullable TxnResult> verify(long revision) {
      var written = new ArrayList<Bytes>();
      for (Write write : txn.writes()) {
        written.add(write.key());
      }
      return reader
          .readAt(written, revision)
          .thenCompose(
              after -> {
                if (!showsWrites(after, revision)) {
                  return CompletableFuture.completedFuture(null);
                }
                List<Bytes> compared = List.copyOf(Transactions.comparedKeys(txn));
                return reader
                    .readAt(compared, revision - 1)
                    .thenApply(
                        before -> {
                          for (Compare compare : txn.compares()) {
                            if (!compare.holdsFor(before.get(compare.key()))) {
                              return null;
                            }
                          }
                          return claim(revision) ? new TxnResult.Committed(revision, true) : null;
                        });
              });
    }

    private boolean showsWrites(Map<Bytes, KeyValue> after, long revision) {
      for (Write write : txn.writes()) {
        @Nullable KeyValue state = after.get(write.key());
        boolean shows =
            switch (write) {
              case Write.Put put ->
                  state != null
                      && state.modRevision() == revision
                      && state.value().equals(put.value());
              case Write.Delete _ -> state == null;
            };
        if (!shows) {
          return false;
        }
      }
      return true;
    }

    /**
     * It was not carried out up to the revision, the witness's every write since the sending having
     * been looked at. Rejected, if it can not be carried out any more.
     */
    private CompletableFuture<@Nullable TxnResult> impossible(long revision) {
      if (refusal != null) {
        return CompletableFuture.failedFuture(refusal);
      }
      var fixed = new LinkedHashSet<Compare.ModRevision>();
      for (Compare compare : txn.compares()) {
        if (compare instanceof Compare.ModRevision c && c.modRevision() > 0) {
          fixed.add(c);
        }
      }
      if (fixed.isEmpty()) {
        return CompletableFuture.completedFuture(null);
      }
      return reader
          .readAt(List.copyOf(Transactions.comparedKeys(txn)), revision)
          .thenApply(
              states -> {
                boolean over =
                    fixed.stream()
                        .anyMatch(
                            c -> {
                              @Nullable KeyValue state = states.get(c.key());
                              return c.modRevision() <= revision
                                  && (state == null || state.modRevision() != c.modRevision());
                            });
                return over ? Transactions.rejected(txn, revision, states) : null;
              });
    }
  }
}
