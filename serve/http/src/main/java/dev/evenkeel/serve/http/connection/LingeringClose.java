package dev.evenkeel.serve.http.connection;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Leaves it to the client of an HTTP/2 connection to close it, for a while. The client was told by
 * GOAWAY, and closes when it has read its last answer. If the server closes at once, that answer
 * may be lost: a socket that is closed while bytes of the client are unread or on their way (an
 * acknowledgement, a window update) makes the kernel reset the connection, and what the client has
 * not read yet is dropped; and some clients give up what they have read when the end comes with it.
 *
 * <p>Stands between TLS and HTTP/2. What the client still sends is dropped.
 *
 * <p><b>Threading.</b> The connection's event loop.
 */
final class LingeringClose extends ChannelDuplexHandler {

  /**
   * A client that is still there reads its last answer within this time, which every stop of a
   * server takes longer.
   */
  static final Duration LINGER_MAX = Duration.ofMillis(300);

  private boolean lingers;

  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (lingers || !context.channel().isActive()) {
      var _ = context.close(promise);
      return;
    }
    lingers = true;
    context.flush();
    context.channel().config().setAutoRead(true); // to see that the client closes
    var _ =
        context
            .executor()
            .schedule(
                () -> {
                  var _ = context.close();
                },
                LINGER_MAX.toNanos(),
                TimeUnit.NANOSECONDS);
    if (!promise.isVoid()) {
      var _ = context.channel().closeFuture().addListener(_ -> promise.trySuccess());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (lingers) {
      ReferenceCountUtil.release(message);
    } else {
      context.fireChannelRead(message);
    }
  }
}
