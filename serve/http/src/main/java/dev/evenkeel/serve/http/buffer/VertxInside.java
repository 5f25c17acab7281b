package dev.evenkeel.serve.http.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.impl.buffer.VertxByteBufAllocator;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * All that is taken from Vert.x beyond its documented interface, in one place.
 *
 * <p>A buffer made here is written as it is, and never released by the write: whoever made the
 * {@link ByteBuf} releases it when the write has completed, well or not.
 */
public final class VertxInside {

  private VertxInside() {}

  /** The buffer itself, not a copy. */
  public static Buffer buffer(ByteBuf bytes) {
    return BufferInternal.buffer(bytes);
  }

  /** The array itself, not a copy. */
  public static Buffer buffer(byte[] bytes) {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes));
  }

  /** The pool that connections use: a second one would hold memory of its own. */
  public static ByteBufAllocator allocator() {
    return VertxByteBufAllocator.POOLED_ALLOCATOR;
  }

  /** The thread of a context of an event loop. */
  public static EventLoop eventLoop(Context context) {
    return ((ContextInternal) context).nettyEventLoop();
  }

  public static Channel channel(HttpConnection connection) {
    return ((ConnectionBase) connection).channel();
  }
}
