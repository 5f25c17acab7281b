package dev.evenkeel.prove.bench.api.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the server.
 *
 * <p>Threading: owned by its event loop; all but {@link #loop}, {@link #close} and {@link
 * #pauseReading} is called there.
 */
public abstract class Connection extends ChannelInboundHandlerAdapter {

  /*
   * Bytes are copied out of Netty's buffer once: scanning an array is several times as fast as
   * scanning a buffer outside the heap, and the copy is small beside the decryption before it.
   */
  private static final FastThreadLocal<byte[]> SCRATCH =
      new FastThreadLocal<>() {
        @Override
        protected byte[] initialValue() {
          return new byte[1 << 18];
        }
      };

  private final CompletableFuture<Connection> ready = new CompletableFuture<>();
  private @Nullable ChannelHandlerContext context;
  private boolean reading;

  /** Sends a request; there must be {@link #room} for it. */
  public abstract void send(Request request, Receiver receiver);

  /** How many more requests may be under way at once. */
  public abstract int room();

  /** Takes bytes as they arrive. */
  abstract void received(byte[] bytes, int from, int to);

  /** Tells everybody who waits that nothing will come. */
  abstract void lost(String kind);

  /** Done when requests can be sent. */
  final CompletableFuture<Connection> ready() {
    return ready;
  }

  /** TLS is up and the protocol agreed on. */
  void established() {
    ready.complete(this);
  }

  final void notEstablished(Throwable cause) {
    ready.completeExceptionally(cause);
  }

  public final EventLoop loop() {
    return channel().eventLoop();
  }

  public final void close() {
    var _ = channel().close();
  }

  /** From now on, what the server sends is left in the socket. */
  public final void pauseReading() {
    channel().config().setAutoRead(false);
  }

  final Channel channel() {
    return context().channel();
  }

  final ByteBuf buffer(int bytes) {
    return context().alloc().directBuffer(bytes);
  }

  /** Writes now, or together with everything else that the bytes being read give rise to. */
  final void write(ByteBuf bytes) {
    ChannelHandlerContext here = context();
    if (reading) {
      var _ = here.write(bytes, here.voidPromise());
    } else {
      var _ = here.writeAndFlush(bytes, here.voidPromise());
    }
  }

  private ChannelHandlerContext context() {
    if (context == null) {
      throw new IllegalStateException("the connection is not open yet");
    }
    return context;
  }

  @Override
  public final void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public final void channelRead(ChannelHandlerContext from, Object message) {
    var buffer = (ByteBuf) message;
    try {
      reading = true;
      byte[] scratch = SCRATCH.get();
      while (buffer.isReadable()) {
        int count = Math.min(buffer.readableBytes(), scratch.length);
        buffer.readBytes(scratch, 0, count);
        received(scratch, 0, count);
      }
    } finally {
      buffer.release();
    }
  }

  @Override
  public final void channelReadComplete(ChannelHandlerContext from) {
    reading = false;
    from.flush();
  }

  @Override
  public final void channelInactive(ChannelHandlerContext from) {
    end("connection closed");
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
    notEstablished(cause);
    end(kind(cause));
    var _ = from.close();
  }

  private void end(String kind) {
    if (!ready.isDone()) {
      notEstablished(new IllegalStateException(kind));
    }
    lost(kind);
  }

  private static String kind(Throwable cause) {
    return cause instanceof ProtocolException
        ? String.valueOf(cause.getMessage())
        : cause.getClass().getSimpleName();
  }
}
