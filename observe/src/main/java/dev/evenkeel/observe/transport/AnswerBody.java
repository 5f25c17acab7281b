package dev.evenkeel.observe.transport;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A body that is pulled, piece by piece: who does not pull holds up the sender, and nothing piles
 * up between them.
 */
public interface AnswerBody extends AutoCloseable {

  /**
   * The next piece, null at the end. Where pieces begin and end means nothing. One call at a time.
   * The buffer is the caller's until the next call. The future is completed on any thread and fails
   * with a {@link TransportException} if the rest will not come.
   */
  CompletableFuture<@Nullable ByteBuffer> next();

  /** Enough: lets go of everything. May come from any thread, more than once, also at the end. */
  @Override
  void close();
}
