package dev.evenkeel.store.etcd.client;

import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;

/** What etcd's errors are called in the store's contract. */
public final class EtcdErrors {

  private static final String COMPACTED = "mvcc: required revision has been compacted";
  private static final String FUTURE = "mvcc: required revision is a future revision";

  private EtcdErrors() {}

  public static boolean isCompacted(CallFailed failure) {
    return failure.says(COMPACTED);
  }

  public static boolean isFuture(CallFailed failure) {
    return failure.says(FUTURE);
  }

  /** Whether the answer was larger than this client takes. */
  public static boolean isAnswerTooLarge(CallFailed failure) {
    return failure.status().getCode() == io.grpc.Status.Code.RESOURCE_EXHAUSTED
        && failure.says("gRPC message exceeds maximum size");
  }

  /** For a request that is known not to have been carried out, or that only reads. */
  public static StoreException notDone(CallFailed failure) {
    if (failure.outOfSpace()) {
      return new StoreException.OutOfSpace(full(failure), failure);
    }
    if (failure.says("etcdserver: corrupt cluster")) {
      return new StoreException.Corrupt(
          "etcd at " + failure.endpoint() + " reports that its members' data differ", failure);
    }
    return switch (failure.status().getCode()) {
      case INVALID_ARGUMENT, OUT_OF_RANGE, FAILED_PRECONDITION ->
          failure.staleToken() || failure.says("authentication failed") || failure.says("user name")
              ? notAllowed(failure)
              : new StoreException.InvalidRequest("etcd refused: " + failure.getMessage());
      case PERMISSION_DENIED, UNAUTHENTICATED -> notAllowed(failure);
      case OK,
          CANCELLED,
          UNKNOWN,
          DEADLINE_EXCEEDED,
          NOT_FOUND,
          ALREADY_EXISTS,
          RESOURCE_EXHAUSTED,
          ABORTED,
          UNIMPLEMENTED,
          INTERNAL,
          UNAVAILABLE,
          DATA_LOSS ->
          new StoreException.Unavailable(
              "etcd did not answer, nothing was done; the last error: " + failure.getMessage(),
              failure);
    };
  }

  /** The same for a transaction, whose size a server may limit more than this engine does. */
  public static StoreException notDone(CallFailed failure, Txn txn, int requestBytes) {
    if (failure.says("too many operations in txn request")) {
      int operations = Math.max(txn.compares().size(), txn.writes().size());
      return new StoreException.TooLarge(
          "operations in a transaction for this etcd's --max-txn-ops", operations, operations - 1L);
    }
    if (failure.says("request is too large") || failure.says("received message larger")) {
      return new StoreException.TooLarge(
          "bytes in a transaction for this etcd's --max-request-bytes",
          requestBytes,
          requestBytes - 1L);
    }
    return notDone(failure);
  }

  /** For a transaction that was sent, and of which reading back does not tell what became. */
  public static StoreException unknown(CallFailed failure) {
    String what =
        failure.outOfSpace()
            ? full(failure)
                + ". etcd says so of writes that it carried out as well, and reading back does not"
                + " tell whether this was one; read the keys before acting"
            : "the transaction was sent to etcd and not answered, and reading back does not tell"
                + " what became of it; read the keys before acting. The error: "
                + failure.text();
    return new StoreException.UnknownOutcome(what, failure);
  }

  private static String full(CallFailed failure) {
    return "etcd at "
        + failure.endpoint()
        + " is out of space (its database has reached --quota-backend-bytes). Reads go on."
        + " To write again: compact old revisions, free the space on every member with"
        + " \"etcdctl defrag\", then clear the alarm with \"etcdctl alarm disarm\"; or raise"
        + " the quota";
  }

  private static StoreException notAllowed(CallFailed failure) {
    return new StoreException.Unavailable(
        "etcd does not let this user in: " + failure.getMessage() + "; check user and password",
        failure);
  }
}
