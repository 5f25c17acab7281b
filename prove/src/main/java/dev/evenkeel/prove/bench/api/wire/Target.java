package dev.evenkeel.prove.bench.api.wire;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Where the server is and how one proves to be allowed in.
 *
 * @param token a bearer token, if that is how
 */
public record Target(
    String host, int port, @Nullable String token, Map<Protocol, SslContext> sslContexts) {

  static final String USER_AGENT = "evenkeel-bench";

  /**
   * What TLS needs beside the address, as PEM; a null certificate authority means the system's.
   *
   * @param insecure trust anybody
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Credentials(
      @Nullable String token,
      byte @Nullable [] authority,
      byte @Nullable [] certificate,
      byte @Nullable [] key,
      boolean insecure) {

    public static Credentials ofToken(
        @Nullable String token, byte @Nullable [] authority, boolean insecure) {
      return new Credentials(token, authority, null, null, insecure);
    }
  }

  /**
   * @throws IllegalArgumentException if the address is none, or a certificate cannot be read
   */
  public static Target of(String url, Credentials credentials) {
    URI uri = URI.create(url);
    if (uri.getHost() == null || !Objects.equals(uri.getScheme(), "https")) {
      throw new IllegalArgumentException("the server's address is https://HOST:PORT, not " + url);
    }
    var contexts = new EnumMap<Protocol, SslContext>(Protocol.class);
    for (Protocol protocol : Protocol.values()) {
      contexts.put(protocol, sslContext(protocol, credentials));
    }
    int port = uri.getPort() < 0 ? 443 : uri.getPort();
    String host = uri.getHost().replaceAll("^\\[|]$", "");
    return new Target(host, port, credentials.token, contexts);
  }

  public static String tlsProvider() {
    return OpenSsl.isAvailable() ? OpenSsl.versionString() : "the JDK's TLS";
  }

  private static SslContext sslContext(Protocol protocol, Credentials credentials) {
    SslContextBuilder builder =
        SslContextBuilder.forClient()
            .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE,
                    SelectedListenerFailureBehavior.ACCEPT,
                    protocol.alpn()));
    if (credentials.insecure) {
      builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
    } else if (credentials.authority != null) {
      builder.trustManager(new ByteArrayInputStream(credentials.authority));
    }
    if (credentials.certificate != null && credentials.key != null) {
      builder.keyManager(
          new ByteArrayInputStream(credentials.certificate),
          new ByteArrayInputStream(credentials.key));
    }
    try {
      return builder.build();
    } catch (SSLException e) {
      throw new IllegalArgumentException("the certificates cannot be used: " + e.getMessage(), e);
    }
  }

  String authority() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  public String url() {
    return "https://" + authority();
  }

  SslContext sslContext(Protocol protocol) {
    return Objects.requireNonNull(sslContexts.get(protocol));
  }
}
