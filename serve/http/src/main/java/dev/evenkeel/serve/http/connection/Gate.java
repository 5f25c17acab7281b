package dev.evenkeel.serve.http.connection;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.serve.http.limit.HttpLimits;
import dev.evenkeel.serve.http.limit.LiveCounters;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.net.TcpOption;
import io.vertx.core.transport.Transport;

/**
 * Stands where connections come in, before a byte is read of them: closes those that are too many,
 * and gives every other its {@link Connection}.
 *
 * <p><b>Invariants.</b> The count of open connections is that of the channels let through and not
 * closed.
 *
 * <p><b>Threading.</b> The acceptor's thread; the count is shared with the event loops.
 */
@Sharable
public final class Gate extends ChannelInboundHandlerAdapter {

  private final HttpLimits limits;
  private final LiveCounters tally;
  private final Clock clock;

  public Gate(HttpLimits limits, LiveCounters tally, Clock clock) {
    this.limits = limits;
    this.tally = tally;
    this.clock = clock;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof Channel channel)) {
      context.fireChannelRead(message);
      return;
    }
    if (tally.connections.incrementAndGet() > limits.connectionsMax()) {
      tally.connections.decrementAndGet();
      tally.connectionsRefused.increment();
      channel.unsafe().closeForcibly();
      return;
    }
    tally.connectionsTaken.increment();
    var _ = channel.closeFuture().addListener(_ -> tally.connections.decrementAndGet());
    var connection = new Connection(limits, tally, clock);
    channel.attr(Connection.KEY).set(connection);
    channel.pipeline().addFirst("connection", connection);
    context.fireChannelRead(message);
  }

  /** The transport, with this gate in front of every server socket. */
  public Transport guard(Transport transport) {
    io.vertx.core.spi.transport.Transport inner = transport.implementation();
    return new Guarded(transport, new GuardedImplementation(inner, this));
  }

  private record Guarded(Transport inner, io.vertx.core.spi.transport.Transport implementation)
      implements Transport {
    @Override
    public String name() {
      return inner.name();
    }

    @Override
    public boolean available() {
      return inner.available();
    }

    @Override
    public Throwable unavailabilityCause() {
      return inner.unavailabilityCause();
    }
  }

  private record GuardedImplementation(io.vertx.core.spi.transport.Transport inner, Gate gate)
      implements io.vertx.core.spi.transport.Transport {

    @Override
    public boolean supportsDomainSockets() {
      return inner.supportsDomainSockets();
    }

    @Override
    public boolean supportFileRegion() {
      return inner.supportFileRegion();
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
      return inner.ioHandlerFactory();
    }

    @Override
    @SuppressWarnings("deprecation") // Vert.x asks for it
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
      return inner.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
      return inner.datagramChannelFactory();
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
      return inner.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
      ChannelFactory<? extends ServerChannel> factory = inner.serverChannelFactory(domainSocket);
      return () -> {
        ServerChannel channel = factory.newChannel();
        channel.pipeline().addLast("gate", gate);
        return channel;
      };
    }

    @Override
    public void configure(
        TcpConfig config, boolean domainSocket, io.netty.bootstrap.Bootstrap bootstrap) {
      inner.configure(config, domainSocket, bootstrap);
    }

    @Override
    public void configure(
        TcpConfig config, boolean domainSocket, io.netty.bootstrap.ServerBootstrap bootstrap) {
      inner.configure(config, domainSocket, bootstrap);
    }
  }

  /** Finds clients that went away without a word, while nothing is sent to them either. */
  public static void keepAlive(TcpConfig config) {
    config
        .setSoKeepAlive(true)
        .setOption(TcpOption.KEEPIDLE, 30)
        .setOption(TcpOption.KEEPINTVL, 10)
        .setOption(TcpOption.KEEPCNT, 3);
  }
}
