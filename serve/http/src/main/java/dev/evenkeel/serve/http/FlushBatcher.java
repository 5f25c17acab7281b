package dev.evenkeel.serve.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import org.jspecify.annotations.Nullable;

/**
 * Makes one flush of many: what is written while the connection is read leaves when the read is
 * over, what is written otherwise leaves when the event loop gets to its next task. A thousand
 * watches on one connection that see the same event so cost a few records and system calls, not a
 * thousand.
 *
 * <p><b>Invariants.</b> Whoever writes is told that the connection was full before it no longer is.
 * HTTP/2's flow control counts on it: told only of the second, it takes the first for never having
 * been, and the streams that met a full connection meanwhile wait for ever.
 *
 * <p><b>Threading.</b> The connection's event loop.
 */
final class FlushBatcher extends ChannelDuplexHandler implements Runnable {

  private @Nullable ChannelHandlerContext context;
  private boolean reading;
  private boolean pending;
  private boolean scheduled;

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    this.context = context;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    flushPending(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    reading = true;
    context.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.fireChannelReadComplete();
    reading = false;
    flushPending(context);
  }

  @Override
  public void flush(ChannelHandlerContext context) {
    pending = true;
    if (!reading && !scheduled) {
      scheduled = true;
      context.executor().execute(this);
    }
  }

  @Override
  public void run() {
    scheduled = false;
    if (context != null && !reading) {
      flushPending(context);
    }
  }

  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    flushPending(context);
    var _ = context.close(promise);
  }

  private void flushPending(ChannelHandlerContext context) {
    if (pending) {
      pending = false;
      if (!context.channel().isWritable()) {
        // The channel tells it later, when this flush may have made it untrue.
        context.fireChannelWritabilityChanged();
      }
      context.flush();
    }
  }
}
