package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.StoreLimits;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Write;
import dev.evenkeel.store.etcd.client.CallFailed;
import dev.evenkeel.store.etcd.client.Endpoint;
import dev.evenkeel.store.etcd.client.EtcdClient;
import dev.evenkeel.store.etcd.client.EtcdErrors;
import dev.evenkeel.store.etcd.client.Keyspace;
import dev.evenkeel.store.etcd.client.LiveEtcdCounters;
import io.etcd.jetcd.api.Compare.CompareResult;
import io.etcd.jetcd.api.Compare.CompareTarget;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Transactions in etcd's terms. etcd says only that some comparison failed; which one is judged
 * here, by the contract's own rule, on the keys as they stood at the revision of etcd's answer.
 *
 * <p>Small transactions bring the compared keys along in the branch that etcd takes on failure.
 * Where their keys would make the request notably larger than what the limits have counted, or
 * their values an answer larger than what the connection takes, they are read afterwards at the
 * answer's revision, which shows the same state.
 */
public final class Transactions {

  private sealed interface Answer {}

  private record Came(TxnResponse response) implements Answer {}

  private record Missing(Throwable why) implements Answer {}

  /** What the failure branch may add to a request: within the room that the limits leave. */
  private static final int FAILURE_BRANCH_BYTES_MAX = 4 * 1024;

  /** How often the failed comparisons are read again because compaction took their revision. */
  private static final int RESTARTS_MAX = 5;

  private final EtcdClient client;
  private final Keyspace keyspace;
  private final StoreLimits limits;
  private final Settlement settlement;
  private final LiveEtcdCounters tally;

  Transactions(
      EtcdClient client,
      Keyspace keyspace,
      StoreLimits limits,
      Settlement settlement,
      LiveEtcdCounters tally) {
    this.client = client;
    this.keyspace = keyspace;
    this.limits = limits;
    this.settlement = settlement;
    this.tally = tally;
  }

  CompletableFuture<TxnResult> commit(Txn txn) {
    limits.check(txn);
    SequencedSet<Bytes> compared = comparedKeys(txn);
    boolean readsInBranch =
        compared.size() <= READ_KEYS_MAX
            && compared.stream().mapToLong(Bytes::length).sum() <= FAILURE_BRANCH_BYTES_MAX;
    TxnRequest request = request(txn, readsInBranch ? compared : new LinkedHashSet<>());
    long revisionBefore = client.knownRevision();
    var late = new CompletableFuture<TxnResponse>();
    // Without writes it may be asked as often as one likes.
    CompletableFuture<TxnResponse> answer =
        txn.writes().isEmpty()
            ? client.read(KVGrpc.getTxnMethod(), request)
            : client.write(KVGrpc.getTxnMethod(), request, late);
    return answer
        .<Answer>thenApply(Came::new)
        .exceptionally(error -> new Missing(FutureFailure.cause(error)))
        .thenCompose(
            found ->
                switch (found) {
                  case Came(TxnResponse response) ->
                      decided(txn, compared, readsInBranch, response);
                  case Missing(Throwable why) ->
                      failed(
                          txn,
                          request.getSerializedSize(),
                          revisionBefore,
                          late.thenCompose(
                              response -> decided(txn, compared, readsInBranch, response)),
                          why);
                })
        .whenComplete(
            (result, _) -> {
              if (result instanceof TxnResult.Committed(long revision, boolean changed)
                  && changed) {
                // After the outcome is decided: a search for this very transaction that is still
                // under way must not take its revision for another's.
                var _ = settlement.claim(revision);
              }
            });
  }

  private CompletableFuture<TxnResult> decided(
      Txn txn, SequencedSet<Bytes> compared, boolean readsInBranch, TxnResponse response) {
    long revision = response.getHeader().getRevision();
    client.learnRevision(revision);
    if (response.getSucceeded()) {
      return CompletableFuture.completedFuture(
          new TxnResult.Committed(revision, changed(response)));
    }
    if (readsInBranch) {
      var states = new HashMap<Bytes, KeyValue>();
      for (ResponseOp op : response.getResponsesList()) {
        for (io.etcd.jetcd.api.KeyValue kv : op.getResponseRange().getKvsList()) {
          KeyValue state = keyspace.keyValue(kv);
          states.put(state.key(), state);
        }
      }
      return CompletableFuture.completedFuture(rejected(txn, revision, states));
    }
    return judge(txn, List.copyOf(compared), revision, 0);
  }

  /**
   * Says which comparisons failed. If compaction has overtaken the revision of etcd's answer, it
   * judges at a newer one: the transaction, which changed nothing, would have been rejected there
   * too, and that was while the caller waited. If nothing fails there, no rejection can be shown
   * with its reason; nothing was done, and trying again is then the thing to do.
   */
  private CompletableFuture<TxnResult> judge(
      Txn txn, List<Bytes> compared, long revision, int restarts) {
    return readAt(compared, revision)
        .<TxnResult>thenApply(
            states -> {
              TxnResult.Rejected rejected = rejected(txn, revision, states);
              if (rejected.failures().isEmpty()) {
                throw new StoreException.Unavailable(
                    "nothing was done: a comparison failed that holds by now, and compaction took"
                        + " the state in which it failed; try again",
                    null);
              }
              return rejected;
            })
        .exceptionallyCompose(
            error -> {
              Throwable cause = FutureFailure.cause(error);
              if (!(cause instanceof CallFailed failure) || !EtcdErrors.isCompacted(failure)) {
                return CompletableFuture.failedFuture(cause);
              }
              if (restarts == RESTARTS_MAX) {
                return CompletableFuture.failedFuture(
                    new StoreException.Unavailable(
                        "nothing was done: a comparison failed, and compaction was faster than"
                            + " reading which; try again",
                        failure));
              }
              return newestRevision()
                  .thenCompose(newest -> judge(txn, compared, newest, restarts + 1));
            });
  }

  private CompletableFuture<Long> newestRevision() {
    var request = RangeRequest.newBuilder().setKey(keyspace.mark()).setCountOnly(true).build();
    return client
        .read(KVGrpc.getRangeMethod(), request)
        .thenApply(response -> response.getHeader().getRevision());
  }

  private CompletableFuture<TxnResult> failed(
      Txn txn,
      int requestBytes,
      long revisionBefore,
      CompletableFuture<TxnResult> late,
      Throwable error) {
    if (!(error instanceof CallFailed failure)) {
      return CompletableFuture.failedFuture(error);
    }
    if (txn.writes().isEmpty() || failure.certainlyNotDone()) {
      return CompletableFuture.failedFuture(EtcdErrors.notDone(failure, txn, requestBytes));
    }
    tally.unansweredWrites.increment();
    var outcome = new CompletableFuture<TxnResult>();
    var _ =
        late.whenComplete(
            (result, refusal) -> {
              if (result != null) {
                outcome.complete(result);
              } else if (FutureFailure.cause(refusal) instanceof CallFailed refused) {
                if (refused.certainlyNotDone()) {
                  outcome.completeExceptionally(EtcdErrors.notDone(refused, txn, requestBytes));
                } else if (refused.outOfSpace()) {
                  settle(txn, revisionBefore, refused, outcome);
                }
              }
            });
    settle(txn, revisionBefore, failure, outcome);
    return outcome.whenComplete(
        (_, reason) -> {
          if (reason instanceof StoreException.UnknownOutcome) {
            tally.unknownWrites.increment();
          } else {
            tally.settledWrites.increment();
          }
        });
  }

  private void settle(
      Txn txn, long revisionBefore, CallFailed failure, CompletableFuture<TxnResult> outcome) {
    @Nullable StoreException refusal = failure.outOfSpace() ? EtcdErrors.notDone(failure) : null;
    var _ =
        settlement
            .settle(txn, revisionBefore, this::readAt, refusal, outcome)
            .whenComplete(
                (settled, refused) -> {
                  if (settled != null) {
                    outcome.complete(settled);
                  } else if (refused != null) {
                    outcome.completeExceptionally(FutureFailure.cause(refused));
                  } else {
                    outcome.completeExceptionally(EtcdErrors.unknown(failure));
                  }
                });
  }

  /** The keys' states at the revision, all of one revision; missing where a key was not there. */
  CompletableFuture<Map<Bytes, KeyValue>> readAt(List<Bytes> keys, long revision) {
    return readAt(keys, 0, revision, new HashMap<>());
  }

  private CompletableFuture<Map<Bytes, KeyValue>> readAt(
      List<Bytes> keys, int from, long revision, Map<Bytes, KeyValue> states) {
    if (from == keys.size()) {
      return CompletableFuture.completedFuture(states);
    }
    // A transaction's keys are at most twice its operations, so this takes two steps at the most,
    // unless values are so large that an answer could not hold that many.
    int to = Math.min(keys.size(), from + Math.min(limits.operationsMax(), READ_KEYS_MAX));
    var request = TxnRequest.newBuilder();
    for (Bytes key : keys.subList(from, to)) {
      request.addSuccess(read(key, revision));
    }
    return client
        .read(KVGrpc.getTxnMethod(), request.build())
        .thenCompose(
            response -> {
              for (ResponseOp op : response.getResponsesList()) {
                for (io.etcd.jetcd.api.KeyValue kv : op.getResponseRange().getKvsList()) {
                  KeyValue state = keyspace.keyValue(kv);
                  states.put(state.key(), state);
                }
              }
              return readAt(keys, to, revision, states);
            });
  }

  /** At 1.5 MiB a value, what an answer holds. */
  private static final int READ_KEYS_MAX = Endpoint.INBOUND_BYTES_MAX / (3 << 19);

  static SequencedSet<Bytes> comparedKeys(Txn txn) {
    var keys = new LinkedHashSet<Bytes>();
    for (Compare compare : txn.compares()) {
      keys.add(compare.key());
    }
    return keys;
  }

  static TxnResult.Rejected rejected(Txn txn, long revision, Map<Bytes, KeyValue> states) {
    var failures = new ArrayList<TxnResult.Failure>();
    for (Compare compare : txn.compares()) {
      @Nullable KeyValue state = states.get(compare.key());
      if (!compare.holdsFor(state)) {
        failures.add(new TxnResult.Failure(compare, state));
      }
    }
    return new TxnResult.Rejected(revision, List.copyOf(failures));
  }

  private TxnRequest request(Txn txn, SequencedSet<Bytes> readOnFailure) {
    var request = TxnRequest.newBuilder();
    for (Compare compare : txn.compares()) {
      request.addCompare(compare(compare));
    }
    for (Write write : txn.writes()) {
      request.addSuccess(write(write));
    }
    for (Bytes key : readOnFailure) {
      request.addFailure(read(key, 0));
    }
    return request.build();
  }

  private io.etcd.jetcd.api.Compare compare(Compare compare) {
    ByteString key = keyspace.etcdKey(compare.key());
    var built = io.etcd.jetcd.api.Compare.newBuilder().setKey(key).setResult(CompareResult.EQUAL);
    return switch (compare) {
      case Compare.Exists _ ->
          built
              .setResult(CompareResult.GREATER)
              .setTarget(CompareTarget.VERSION)
              .setVersion(0)
              .build();
      case Compare.Absent _ -> built.setTarget(CompareTarget.VERSION).setVersion(0).build();
      case Compare.ModRevision c ->
          built.setTarget(CompareTarget.MOD).setModRevision(c.modRevision()).build();
      case Compare.Version c ->
          built.setTarget(CompareTarget.VERSION).setVersion(c.version()).build();
      case Compare.Value c ->
          built.setTarget(CompareTarget.VALUE).setValue(Keyspace.wrap(c.value())).build();
    };
  }

  private RequestOp write(Write write) {
    ByteString key = keyspace.etcdKey(write.key());
    return switch (write) {
      case Write.Put put ->
          RequestOp.newBuilder()
              .setRequestPut(
                  PutRequest.newBuilder().setKey(key).setValue(Keyspace.wrap(put.value())))
              .build();
      case Write.Delete _ ->
          RequestOp.newBuilder()
              .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
              .build();
    };
  }

  private RequestOp read(Bytes key, long revision) {
    return RequestOp.newBuilder()
        .setRequestRange(
            RangeRequest.newBuilder().setKey(keyspace.etcdKey(key)).setRevision(revision))
        .build();
  }

  private static boolean changed(TxnResponse response) {
    for (ResponseOp op : response.getResponsesList()) {
      if (op.hasResponsePut()
          || (op.hasResponseDeleteRange() && op.getResponseDeleteRange().getDeleted() > 0)) {
        return true;
      }
    }
    return false;
  }
}
