package dev.evenkeel.serve.api;

/**
 * A body that is pulled. The transport pulls while its socket takes bytes, and stops when it does
 * not: what is pending stays here, as a position and not as a queue.
 *
 * <p>Pulled by one thread at a time. {@link #close} may come from any thread, and more than once.
 */
public interface BodyStream extends AutoCloseable {

  /** How a pull ended. */
  enum Pull {
    /** The size that was asked for is reached; there is more to pull now. */
    MORE,
    /** Everything there is was written; the listener will be called when there is more. */
    WAIT,
    /** The body is whole; nothing follows. */
    END
  }

  /**
   * Writes what is ready, up to about so many bytes: a piece is never cut, so the last may go over.
   * At least one piece is written if any is ready.
   */
  Pull pull(Sink sink, int bytesMax);

  /**
   * Calls the listener, once, when there is something to pull after a {@link Pull#WAIT}; at once if
   * there already is. The call comes from any thread and must not block. One listener at a time.
   */
  void onReady(Runnable listener);

  /** The client is gone or has enough: lets go of everything. */
  @Override
  void close();

  /** Takes what is pulled. */
  interface Sink {

    /**
     * Takes a piece made of up to three parts, of which the arrays are not to be changed nor kept
     * beyond the call. Parts may be empty.
     */
    void piece(byte[] head, byte[] body, byte[] tail);
  }
}
