package dev.evenkeel.store.etcd.client;

import io.grpc.Status;

/**
 * A request to etcd that failed.
 *
 * <p>Whether it may have had an effect is the question that everything else hangs on: a request
 * that never left, and one that etcd refused before it proposed it, had none.
 */
public final class CallFailed extends RuntimeException {

  private final transient Status status;
  private final boolean sent;
  private final String endpoint;

  public CallFailed(Status status, boolean sent, String endpoint) {
    super(endpoint + ": " + text(status), null, false, false);
    this.status = status;
    this.sent = sent;
    this.endpoint = endpoint;
  }

  Status status() {
    return status;
  }

  String endpoint() {
    return endpoint;
  }

  boolean says(String text) {
    String description = status.getDescription();
    return description != null && description.contains(text);
  }

  /** Whether the request is known not to have been carried out. */
  public boolean certainlyNotDone() {
    return !sent || passing() || (refused() && !outOfSpace());
  }

  /**
   * The database is full. etcd says so before it takes a write, but also after it has carried one
   * out that went over the quota. As it has answered, it will not carry it out later: what is not
   * there now was not done.
   */
  public boolean outOfSpace() {
    return says("mvcc: database space exceeded");
  }

  /** Refused for now by a server that did nothing: another member, or this one later, may do it. */
  boolean passing() {
    return says("etcdserver: no leader")
        || says("etcdserver: too many requests")
        || says("raft proposal dropped")
        || staleToken();
  }

  public boolean staleToken() {
    return says("etcdserver: invalid auth token")
        || says("etcdserver: revision of auth store is old");
  }

  /** Refused for good: the same request gets the same answer until something else changes. */
  boolean refused() {
    return switch (status.getCode()) {
      case INVALID_ARGUMENT, OUT_OF_RANGE, PERMISSION_DENIED, UNAUTHENTICATED, UNIMPLEMENTED ->
          true;
      // A limit of the server's; one of the client's on the answer says nothing about the request.
      case RESOURCE_EXHAUSTED -> says("etcdserver:") || says("grpc: received message larger");
      case FAILED_PRECONDITION, NOT_FOUND, DATA_LOSS -> says("etcdserver:");
      case OK,
          CANCELLED,
          UNKNOWN,
          DEADLINE_EXCEEDED,
          ALREADY_EXISTS,
          ABORTED,
          INTERNAL,
          UNAVAILABLE ->
          false;
    };
  }

  public String text() {
    return endpoint + ": " + text(status);
  }

  private static String text(Status status) {
    String cause = status.getCause() == null ? "" : " (" + status.getCause() + ")";
    return status.getCode() + " " + status.getDescription() + cause;
  }
}
