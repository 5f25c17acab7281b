package dev.evenkeel.observe.transport;

import org.jspecify.annotations.Nullable;

/** No answer, or not the whole of it. What the server did is told by {@link #reached}. */
public final class TransportException extends RuntimeException {

  /** How far a request may have come. */
  public enum Reached {
    /** The server never saw it: to send it again repeats nothing. */
    NOTHING,
    /** Perhaps it was carried out. */
    PERHAPS
  }

  private final Reached reached;

  public TransportException(Reached reached, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reached = reached;
  }

  public Reached reached() {
    return reached;
  }
}
