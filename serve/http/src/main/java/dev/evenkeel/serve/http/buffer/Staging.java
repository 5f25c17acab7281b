package dev.evenkeel.serve.http.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelPromise;
import org.jspecify.annotations.Nullable;

/**
 * The buffer that the answers of a lane are pulled into, one after the other.
 *
 * <p><b>Invariants.</b> It is empty between two turns.
 *
 * <p><b>Threading.</b> The lane's event loop.
 */
public final class Staging {

  private static final int FRAME_BYTES = 64 << 10;

  /** How much is pulled and written at once: with a chunk's frame around it, what a pool gives. */
  public static final int BYTES = FRAME_BYTES - Chunks.HEAD_BYTES_MAX - Chunks.TAIL_BYTES;

  /** What fills this much of the buffer leaves in it; less is copied to its own size. */
  private static final int HAND_OVER_BYTES_MIN = BYTES / 2;

  private final ByteBufAllocator allocator;

  // The content is a part of the frame, so that a chunk is framed where it stands.
  private @Nullable ByteBuf frame;
  private @Nullable ByteBuf content;

  public Staging(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** The buffer to pull into, as far as it has room. */
  public ByteBuf buffer() {
    if (content == null) {
      frame = allocator.directBuffer(FRAME_BYTES, FRAME_BYTES);
      content = frame.slice(Chunks.HEAD_BYTES_MAX, BYTES).setIndex(0, 0);
    }
    return content;
  }

  /** What was staged, as a buffer of the caller's to be released; null if there is nothing. */
  public @Nullable ByteBuf take() {
    ByteBuf full = content;
    if (full == null || !full.isReadable()) {
      return null;
    }
    int bytes = full.readableBytes();
    if (bytes >= HAND_OVER_BYTES_MIN) {
      forget();
      return full;
    }
    // A small event must not hold a large buffer until its client has taken it.
    ByteBuf own = allocator.directBuffer(bytes, bytes).writeBytes(full);
    full.clear();
    return own;
  }

  /**
   * Writes what was staged as a chunk, from where it stands if it can; null if there is nothing.
   */
  public @Nullable ChannelPromise write(Chunks chunks) {
    ByteBuf whole = frame;
    if (whole == null || content == null || !content.isReadable()) {
      return null;
    }
    int bytes = content.readableBytes();
    int from = Chunks.frame(whole, Chunks.HEAD_BYTES_MAX, bytes);
    int length = Chunks.HEAD_BYTES_MAX + bytes + Chunks.TAIL_BYTES - from;
    content.clear();
    ChannelPromise written =
        chunks.write(
            chunks.encrypted()
                ? whole.retainedSlice(from, length)
                : allocator.directBuffer(length, length).writeBytes(whole, from, length));
    if (whole.refCnt() > 1) {
      // It is not encrypted yet: a handshake is under way.
      whole.release();
      forget();
    }
    return written;
  }

  /** Forgets what a failed pull may have left. */
  public void clear() {
    if (content != null) {
      content.clear();
    }
  }

  private void forget() {
    frame = null;
    content = null;
  }

  /** Lets go of the buffer. */
  public void close() {
    if (frame != null) {
      frame.release();
      forget();
    }
  }
}
