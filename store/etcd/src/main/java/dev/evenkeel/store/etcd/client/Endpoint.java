package dev.evenkeel.store.etcd.client;

import dev.evenkeel.store.StoreException;
import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One member of the etcd cluster and the connection to it, which mends itself. */
public record Endpoint(String name, ManagedChannel channel) {

  /** The largest answer taken; reads are paged far below it. */
  public static final int INBOUND_BYTES_MAX = 64 << 20;

  // Not below 5 s: etcd ends connections that ask more often.
  private static final long KEEPALIVE_SECONDS = 10;
  private static final long KEEPALIVE_TIMEOUT_SECONDS = 3;

  static Endpoint of(String hostAndPort, EtcdOptions.@Nullable Tls tls) {
    var builder =
        NettyChannelBuilder.forTarget("dns:///" + hostAndPort)
            .maxInboundMessageSize(INBOUND_BYTES_MAX)
            .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
            // A request is sent again only where the engine decides so.
            .disableRetry()
            // Answers are handed on where they arrive: the engine's continuations are short.
            .directExecutor();
    if (tls == null) {
      builder.usePlaintext();
    } else {
      builder.sslContext(sslContext(tls));
    }
    return new Endpoint(hostAndPort, builder.build());
  }

  private static io.netty.handler.ssl.SslContext sslContext(EtcdOptions.Tls tls) {
    try {
      var context = GrpcSslContexts.forClient();
      if (tls.authorities() != null) {
        context.trustManager(tls.authorities().toFile());
      }
      if (tls.certificate() != null && tls.key() != null) {
        context.keyManager(tls.certificate().toFile(), tls.key().toFile());
      }
      return context.build();
    } catch (javax.net.ssl.SSLException | IllegalArgumentException e) {
      throw new StoreException.Unavailable(
          "cannot use the certificates for etcd, " + tls + "; give readable PEM files", e);
    }
  }
}
