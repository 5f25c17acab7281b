package dev.evenkeel.observe.transport;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Bodies read as a whole, within a limit. */
public final class Bodies {

  private static final byte[] NOTHING = new byte[0];

  private Bodies() {}

  /**
   * Reads to the end.
   *
   * @param bytesMax a longer body is given up, with a {@link TransportException}
   */
  public static CompletableFuture<byte[]> whole(AnswerBody body, int bytesMax) {
    var reader = new Reader(body, bytesMax);
    reader.read();
    return reader.whole;
  }

  /** Takes pieces one after another; those that are there at once without growing the stack. */
  private static final class Reader {
    private final AnswerBody body;
    private final int bytesMax;
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private byte[] bytes = NOTHING;
    private int length;

    Reader(AnswerBody body, int bytesMax) {
      this.body = body;
      this.bytesMax = bytesMax;
    }

    void read() {
      while (true) {
        CompletableFuture<@Nullable ByteBuffer> next = body.next();
        if (!next.isDone() || next.isCompletedExceptionally()) {
          var _ = next.whenComplete(this::later);
          return;
        }
        if (!took(next.join())) {
          return;
        }
      }
    }

    private void later(@Nullable ByteBuffer piece, @Nullable Throwable failure) {
      if (failure != null) {
        whole.completeExceptionally(failure);
      } else if (took(piece)) {
        read();
      }
    }

    private boolean took(@Nullable ByteBuffer piece) {
      if (piece == null) {
        whole.complete(length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
        return false;
      }
      int more = piece.remaining();
      if (length + (long) more > bytesMax) {
        body.close();
        whole.completeExceptionally(
            new TransportException(
                TransportException.Reached.PERHAPS,
                "the answer is longer than " + bytesMax + " bytes",
                null));
        return false;
      }
      if (length + more > bytes.length) {
        bytes =
            Arrays.copyOf(
                bytes, (int) Math.min(bytesMax, Math.max(2L * bytes.length, length + more)));
      }
      piece.get(bytes, length, more);
      length += more;
      return true;
    }
  }
}
