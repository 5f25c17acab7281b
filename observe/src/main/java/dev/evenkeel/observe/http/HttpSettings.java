package dev.evenkeel.observe.http;

import dev.evenkeel.observe.transport.Header;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a server is, whom to trust and who to be there.
 *
 * @param server with {@code https} or {@code http}; a path is put before every request's
 * @param namespace what the configuration calls the namespace to work in
 * @param headers sent with every request
 */
public record HttpSettings(
    URI server,
    Trust trust,
    Identity identity,
    String namespace,
    List<Header> headers,
    Timeouts timeouts) {

  /**
   * Whom to trust.
   *
   * @param authorityPem one or more certificates, null for those that the JDK trusts
   * @param serverName what the server's certificate must name, null for the host in its address
   * @param anybody believe whoever answers: for tests, never for secrets
   */
  public record Trust(@Nullable String authorityPem, @Nullable String serverName, boolean anybody) {

    /** Those that the JDK trusts. */
    public static final Trust JDK = new Trust(null, null, false);

    public static Trust authority(String pem) {
      return new Trust(pem, null, false);
    }
  }

  /**
   * How long to wait. Watches are not limited here: whoever reads them knows what is too long.
   *
   * @param connect for a connection
   * @param silence for the next sign of an answer that is under way
   */
  public record Timeouts(Duration connect, Duration silence) {
    public static final Timeouts DEFAULTS =
        new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(60));
  }

  public HttpSettings {
    headers = List.copyOf(headers);
    String scheme = server.getScheme();
    if (server.getHost() == null || !("https".equals(scheme) || "http".equals(scheme))) {
      throw new ConfigurationException(
          "'" + server + "' is no server's address such as https://10.0.0.1:6443", null);
    }
  }

  public static HttpSettings of(URI server, Trust trust, Identity identity) {
    return new HttpSettings(server, trust, identity, "default", List.of(), Timeouts.DEFAULTS);
  }

  public HttpSettings withTimeouts(Timeouts changed) {
    return new HttpSettings(server, trust, identity, namespace, headers, changed);
  }

  public HttpSettings withIdentity(Identity changed) {
    return new HttpSettings(server, trust, changed, namespace, headers, timeouts);
  }

  public HttpSettings withTrust(Trust changed) {
    return new HttpSettings(server, changed, identity, namespace, headers, timeouts);
  }
}
