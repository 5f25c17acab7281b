package dev.evenkeel.prove.bench.api.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens connections to one server, on a fixed number of event loops. */
public final class Transport implements AutoCloseable {

  private static final int CONNECT_MILLIS_MAX = 30_000;
  private static final int READ_BYTES_MAX = 1 << 18;

  private final Target target;
  private final EventLoopGroup loops;
  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);

  public Transport(Target target, int loopCount) {
    this.target = target;
    this.loops =
        new MultiThreadIoEventLoopGroup(
            loopCount,
            Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
  }

  public Target target() {
    return target;
  }

  public CompletableFuture<Connection> connect(Protocol protocol) {
    return connect(protocol, 0);
  }

  /**
   * @param receiveBytes how much the socket holds of what is not yet read; 0 for the system's
   *     choice
   */
  public CompletableFuture<Connection> connect(Protocol protocol, int receiveBytes) {
    Connection connection =
        switch (protocol) {
          case HTTP_1 -> new Http1Connection(target);
          case HTTP_2 -> new Http2Connection(target);
        };
    var bootstrap =
        new Bootstrap()
            .group(loops)
            .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS_MAX)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.ALLOCATOR, allocator)
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(2048, 16 << 10, READ_BYTES_MAX))
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    secure(channel, protocol, connection);
                  }
                });
    if (receiveBytes > 0) {
      bootstrap.option(ChannelOption.SO_RCVBUF, receiveBytes);
    }
    bootstrap
        .connect(target.host(), target.port())
        .addListener(
            (ChannelFuture done) -> {
              if (!done.isSuccess()) {
                connection.notEstablished(Objects.requireNonNull(done.cause()));
              }
            });
    return connection.ready();
  }

  private void secure(Channel channel, Protocol protocol, Connection connection) {
    SslHandler tls =
        target.sslContext(protocol).newHandler(channel.alloc(), target.host(), target.port());
    channel.pipeline().addLast(tls, connection);
    tls.handshakeFuture()
        .addListener(
            done -> {
              if (!done.isSuccess()) {
                connection.notEstablished(Objects.requireNonNull(done.cause()));
              } else if (disagrees(protocol, tls.applicationProtocol())) {
                connection.notEstablished(
                    new IllegalStateException("the server does not speak " + protocol.alpn()));
                var _ = channel.close();
              } else {
                connection.established();
              }
            });
  }

  /** A server that negotiates nothing speaks HTTP/1.1. */
  private static boolean disagrees(Protocol protocol, @Nullable String chosen) {
    return chosen == null ? protocol == Protocol.HTTP_2 : !chosen.equals(protocol.alpn());
  }

  /**
   * Opens several and waits for them.
   *
   * @throws UnmeasurableException if one cannot be opened
   */
  public List<Connection> connect(Protocol protocol, int receiveBytes, int count) {
    // Not all at once: a server's queue of connections to accept is short.
    int atOnceMax = 128;
    var connections = new ArrayList<Connection>();
    for (int from = 0; from < count; from += atOnceMax) {
      var batch = new ArrayList<CompletableFuture<Connection>>();
      for (int i = from; i < Math.min(count, from + atOnceMax); i++) {
        batch.add(connect(protocol, receiveBytes));
      }
      for (CompletableFuture<Connection> each : batch) {
        connections.add(await(each));
      }
    }
    return connections;
  }

  private Connection await(CompletableFuture<Connection> connecting) {
    try {
      return connecting.orTimeout(CONNECT_MILLIS_MAX, TimeUnit.MILLISECONDS).join();
    } catch (CompletionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new UnmeasurableException(target.url() + " cannot be reached: " + cause, cause);
    }
  }

  @Override
  public void close() {
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
