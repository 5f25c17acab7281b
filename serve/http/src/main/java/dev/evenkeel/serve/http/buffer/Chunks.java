package dev.evenkeel.serve.http.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;

/**
 * Writes chunks of an HTTP/1.1 answer to its connection, past what stands between: an event for a
 * thousand connections goes through all of it a thousand times, and most of that is the same.
 *
 * <p><b>Invariants.</b> Used between the head of the answer and its end, which go the usual way,
 * while nothing else is on its way there.
 *
 * <p><b>Threading.</b> The connection's event loop.
 */
public final class Chunks {

  private static final byte[] DIGITS = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  /** Room for a chunk's size in front of it, and for what ends it. */
  static final int HEAD_BYTES_MAX = 2 * Integer.BYTES + 2;

  static final int TAIL_BYTES = 2;

  private final ChannelHandlerContext below;
  private final boolean encrypted;

  private Chunks(ChannelHandlerContext below, boolean encrypted) {
    this.below = below;
    this.encrypted = encrypted;
  }

  public static Chunks of(Channel channel) {
    return new Chunks(
        channel.pipeline().context(FlushBatcher.class), channel.pipeline().get("ssl") != null);
  }

  /**
   * Whether what is written is at once made into other bytes, so that a shared buffer is free again
   * when the write returns.
   */
  boolean encrypted() {
    return encrypted;
  }

  /** Writes a chunk, framed already, and sends it. The buffer is released. */
  ChannelPromise write(ByteBuf framed) {
    ChannelPromise promise = below.newPromise();
    var _ = below.write(framed, promise);
    below.flush();
    return promise;
  }

  /**
   * Frames content that stands in the middle of a buffer, with room around it.
   *
   * @return where the chunk begins; it ends {@link #TAIL_BYTES} behind the content
   */
  static int frame(ByteBuf buffer, int from, int length) {
    buffer.setShort(from + length, '\r' << 8 | '\n');
    int at = from - 2;
    buffer.setShort(at, '\r' << 8 | '\n');
    int rest = length;
    do {
      buffer.setByte(--at, DIGITS[rest & 0xf]);
      rest >>>= 4;
    } while (rest != 0);
    return at;
  }
}
