package dev.evenkeel.serve.http.connection;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.serve.api.ApiRequest.Peer;
import dev.evenkeel.serve.http.buffer.FlushBatcher;
import dev.evenkeel.serve.http.buffer.Staging;
import dev.evenkeel.serve.http.buffer.VertxInside;
import dev.evenkeel.serve.http.limit.HttpLimits;
import dev.evenkeel.serve.http.limit.LiveCounters;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpObject;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection: who it is, how many requests it has open, since when it has none. It
 * stands next to the socket, counts the bytes, and closes a connection that has been without a
 * request for too long, however many bytes it sent meanwhile.
 *
 * <p><b>Invariants.</b> While requests are open the connection is not idle.
 *
 * <p><b>Threading.</b> The connection's event loop.
 */
public final class Connection extends ChannelDuplexHandler {

  private static final System.Logger LOG = System.getLogger(Connection.class.getName());

  static final AttributeKey<Connection> KEY = AttributeKey.valueOf(Connection.class, "evenkeel");

  /**
   * Encrypted bytes that may wait for the socket. More than one answer's, because HTTP/2 tells
   * every stream of a connection when this limit is passed, in either direction.
   */
  private static final WriteBufferWaterMark UNSENT_BYTES =
      new WriteBufferWaterMark(256 << 10, 512 << 10);

  /** What the answers of a connection may together have written before the socket takes it. */
  private static final int OUTSTANDING_BYTES_MAX = 512 << 10;

  /** The most and the least of it that one answer has. */
  private static final int SHARE_BYTES_MAX = 2 * Staging.BYTES;

  private static final int SHARE_BYTES_MIN = 4 << 10;

  private final HttpLimits limits;
  private final LiveCounters tally;
  private final Clock clock;

  private @Nullable ChannelHandlerContext context;
  private long idleSinceNanos;
  private Duration idleMax;
  private int requestsOpen;
  private boolean peerKnown;
  private @Nullable Peer peer;
  private @Nullable String address;

  Connection(HttpLimits limits, LiveCounters tally, Clock clock) {
    this.limits = limits;
    this.tally = tally;
    this.clock = clock;
    this.idleMax = limits.headersTimeout();
    this.idleSinceNanos = clock.nanoTime();
  }

  public static Connection of(HttpConnection connection) {
    return VertxInside.channel(connection).attr(KEY).get();
  }

  /** Once the protocol is known: how much is written before it is flushed. */
  public static void begin(HttpConnection connection) {
    Channel channel = VertxInside.channel(connection);
    channel.config().setWriteBufferWaterMark(UNSENT_BYTES);
    ChannelPipeline pipeline = channel.pipeline();
    String after = pipeline.get("ssl") == null ? "connection" : "ssl";
    pipeline.addAfter(after, "flush-batcher", new FlushBatcher());
    pipeline.addLast("last", new LastWord());
    if (pipeline.get("httpDecoder") != null) {
      pipeline.addAfter("httpDecoder", "half-requests", new HalfRequests());
    } else {
      pipeline.addAfter("flush-batcher", "lingering-close", new LingeringClose());
    }
  }

  /**
   * Drops what the decoder makes of a request whose client left in the middle of its head. There is
   * nobody to answer, and Vert.x would report it when the handlers that keep quiet are gone.
   */
  private static final class HalfRequests extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpObject part
          && part.decoderResult().cause() instanceof PrematureChannelClosureException) {
        ReferenceCountUtil.release(message);
      } else {
        context.fireChannelRead(message);
      }
    }
  }

  /**
   * Closes a connection on which something went wrong that nobody else minded: a client that left.
   */
  private static final class LastWord extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (!(cause instanceof IOException || cause instanceof CodecException)) {
        LOG.log(System.Logger.Level.WARNING, "a connection failed", cause); // a fault of ours
      }
      var _ = context.close();
    }
  }

  public void requestBegan() {
    requestsOpen++;
    idleMax = limits.idleTimeout();
  }

  public void requestEnded() {
    requestsOpen--;
    if (requestsOpen == 0) {
      idleSinceNanos = clock.nanoTime();
    }
  }

  /**
   * What one of the open answers may have written before the socket takes it. A thousand watches of
   * one connection share what one alone may have, as far as that is worth sending at all.
   */
  public int outstandingBytesMax() {
    return Math.clamp(
        OUTSTANDING_BYTES_MAX / Math.max(1, requestsOpen), SHARE_BYTES_MIN, SHARE_BYTES_MAX);
  }

  /** Who is there. The certificate was verified by the handshake; it is read once. */
  public @Nullable Peer peer(HttpConnection connection) {
    if (!peerKnown) {
      peer = Peers.of(connection.sslSession());
      peerKnown = true;
    }
    return peer;
  }

  /** Where it comes from; empty if that is no address. */
  public String address() {
    if (address == null) {
      address =
          context != null
                  && context.channel().remoteAddress() instanceof InetSocketAddress remote
                  && remote.getAddress() != null
              ? remote.getAddress().getHostAddress()
              : "";
    }
    return address;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    this.context = context;
    // Twice the limit covers the handshake, which has one of its own.
    lookAgain(idleMax.plus(limits.handshakeTimeout()).toNanos());
  }

  private void lookAgain(long delayNanos) {
    if (context != null) {
      var _ = context.executor().schedule(this::closeIfIdle, delayNanos, TimeUnit.NANOSECONDS);
    }
  }

  private void closeIfIdle() {
    if (context == null || !context.channel().isOpen()) {
      return;
    }
    long max = idleMax.toNanos();
    long idleNanos = requestsOpen > 0 ? 0 : clock.nanoTime() - idleSinceNanos;
    if (idleNanos >= max) {
      tally.timeouts.increment();
      var _ = context.channel().close();
    } else {
      lookAgain(max - idleNanos);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes) {
      tally.bytesReceived.add(bytes.readableBytes());
    }
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof ByteBuf bytes) {
      tally.bytesSent.add(bytes.readableBytes());
    }
    var _ = context.write(message, promise);
  }
}
