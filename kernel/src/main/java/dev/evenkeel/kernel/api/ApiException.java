package dev.evenkeel.kernel.api;

/** A request that ends with an error: carries the {@link Status} that the client is told. */
public final class ApiException extends RuntimeException {

  private final transient Status status;

  /** Without a stack trace: it is an answer, not a fault, and is made by the thousand. */
  public ApiException(Status status) {
    super(status.message(), null, false, false);
    this.status = status;
  }

  /**
   * @param reason for whoever catches it, where the client is told less
   */
  public ApiException(Status status, String reason) {
    super(reason, null, false, false);
    this.status = status;
  }

  public Status status() {
    return status;
  }
}
