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

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (!context.channel().isWritable()) {
      flushPending(context);
    }
    context.fireChannelWritabilityChanged();
  }

  private void flushPending(ChannelHandlerContext context) {
    if (pending) {
      pending = false;
      context.flush();
    }
  }
}
