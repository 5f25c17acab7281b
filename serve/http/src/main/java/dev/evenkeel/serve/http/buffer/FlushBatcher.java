package dev.evenkeel.serve.http.buffer;

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
 * <p><b>Invariants.</b> Whoever writes is told that the connection is full before it is not any
 * more, and before it reads anything while it is. HTTP/2's flow control counts on it. The channel
 * tells of it a little later, and flow control that looks at a stream meanwhile, because its window
 * grew or it is new, finds it blocked by the connection without having noted that the connection
 * is. Told then only that it is not, it sees no change, and the stream waits for ever.
 *
 * <p><b>Threading.</b> The connection's event loop.
 */
public final class FlushBatcher extends ChannelDuplexHandler implements Runnable {

  private @Nullable ChannelHandlerContext context;
  private boolean reading;
  private boolean pending;
  private boolean scheduled;
  private boolean fullIsTold;

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
    tellIfFull(context);
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
      tellIfFull(context);
      context.flush();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    fullIsTold = !context.channel().isWritable();
    context.fireChannelWritabilityChanged();
  }

  private void tellIfFull(ChannelHandlerContext context) {
    if (!fullIsTold && !context.channel().isWritable()) {
      channelWritabilityChanged(context);
    }
  }
}
