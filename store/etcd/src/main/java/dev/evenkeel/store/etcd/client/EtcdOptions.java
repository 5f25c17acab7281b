package dev.evenkeel.store.etcd.client;

import dev.evenkeel.store.StoreLimits;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where the etcd is and how to use it.
 *
 * @param endpoints members as {@code host:port}; all of them, so that one may be down
 * @param prefix what all keys in etcd start with: begins and ends with a slash, so that several
 *     Evenkeels with different prefixes share an etcd without seeing each other
 * @param tls how to encrypt; null for plain text
 * @param user who to be; null where etcd asks for nobody
 * @param requestTimeout after how long a request without an answer is given up
 * @param settleTimeout how long to go on finding out what became of a write without an answer
 * @param limits what to accept: at most what the servers are set to
 */
public record EtcdOptions(
    List<String> endpoints,
    String prefix,
    @Nullable Tls tls,
    @Nullable User user,
    Duration requestTimeout,
    Duration settleTimeout,
    StoreLimits limits) {

  public static final String DEFAULT_PREFIX = "/evenkeel/";

  private static final String SCHEME = "etcd://";
  private static final int DEFAULT_PORT = 2379;
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

  /**
   * Certificates, as PEM files.
   *
   * @param authorities who may sign the servers' certificates; null for those the JDK trusts
   * @param certificate our own, where the servers ask for one; null if they do not
   * @param key its key
   */
  public record Tls(@Nullable Path authorities, @Nullable Path certificate, @Nullable Path key) {
    public Tls {
      if ((certificate == null) != (key == null)) {
        throw new IllegalArgumentException("a certificate needs its key: give both or neither");
      }
    }
  }

  /** A name and a password, which no log shows. */
  public record User(String name, String password) {
    @Override
    public String toString() {
      return name;
    }
  }

  public EtcdOptions {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("an etcd needs at least one endpoint, as host:port");
    }
    prefix = normalPrefix(prefix);
    if (!requestTimeout.isPositive() || settleTimeout.isNegative()) {
      throw new IllegalArgumentException(
          "the request timeout must be positive and the settle timeout not negative");
    }
  }

  /** These endpoints, {@code host:port} or {@code http://host:port}, with defaults otherwise. */
  public static EtcdOptions of(List<String> endpoints) {
    return new EtcdOptions(
        endpoints.stream().map(EtcdOptions::hostAndPort).toList(),
        DEFAULT_PREFIX,
        null,
        null,
        DEFAULT_TIMEOUT,
        DEFAULT_TIMEOUT,
        StoreLimits.ETCD_DEFAULTS);
  }

  /**
   * Reads {@code etcd://host:port,host:port/prefix?name=value&…}. Port and prefix may be left out.
   * The names: {@code tls=true}, {@code ca}, {@code cert} and {@code key} (PEM files), {@code user}
   * and {@code password-file}, {@code timeout-millis}, {@code settle-millis}, {@code
   * max-request-bytes} and {@code max-txn-ops} (what the servers are set to).
   *
   * @throws IllegalArgumentException if it does not read so
   */
  public static EtcdOptions parse(String text) {
    if (!text.startsWith(SCHEME)) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no etcd address; write " + SCHEME + "host:port,host:port/prefix");
    }
    String rest = text.substring(SCHEME.length());
    int question = rest.indexOf('?');
    String query = question < 0 ? "" : rest.substring(question + 1);
    String place = question < 0 ? rest : rest.substring(0, question);
    int slash = place.indexOf('/');
    String hosts = slash < 0 ? place : place.substring(0, slash);
    String prefix = slash < 0 ? "" : place.substring(slash);

    var endpoints = new ArrayList<String>();
    for (String host : hosts.split(",", -1)) {
      endpoints.add(hostAndPort(host));
    }
    var settings = settings(query);
    StoreLimits defaults = StoreLimits.ETCD_DEFAULTS;
    var options =
        new EtcdOptions(
            endpoints,
            prefix.isEmpty() ? DEFAULT_PREFIX : prefix,
            tls(settings),
            user(settings),
            millis(settings.remove("timeout-millis"), DEFAULT_TIMEOUT),
            millis(settings.remove("settle-millis"), DEFAULT_TIMEOUT),
            new StoreLimits(
                defaults.keyBytesMax(),
                number(settings.remove("max-request-bytes"), defaults.requestBytesMax()),
                number(settings.remove("max-txn-ops"), defaults.operationsMax())));
    if (!settings.isEmpty()) {
      throw new IllegalArgumentException(
          "unknown in an etcd address: " + new TreeSet<>(settings.keySet()));
    }
    return options;
  }

  public EtcdOptions withPrefix(String newPrefix) {
    return new EtcdOptions(endpoints, newPrefix, tls, user, requestTimeout, settleTimeout, limits);
  }

  public EtcdOptions withTimeouts(Duration request, Duration settle) {
    return new EtcdOptions(endpoints, prefix, tls, user, request, settle, limits);
  }

  public EtcdOptions withLimits(StoreLimits newLimits) {
    return new EtcdOptions(endpoints, prefix, tls, user, requestTimeout, settleTimeout, newLimits);
  }

  public EtcdOptions withUser(User newUser) {
    return new EtcdOptions(endpoints, prefix, tls, newUser, requestTimeout, settleTimeout, limits);
  }

  public EtcdOptions withTls(Tls newTls) {
    return new EtcdOptions(endpoints, prefix, newTls, user, requestTimeout, settleTimeout, limits);
  }

  private static String normalPrefix(String prefix) {
    String inner = prefix.replaceAll("^/+|/+$", "");
    if (inner.isEmpty()) {
      throw new IllegalArgumentException(
          "the prefix \"" + prefix + "\" names nothing; write at least one name, as in /evenkeel");
    }
    return "/" + inner + "/";
  }

  private static String hostAndPort(String text) {
    String host = text.strip().replaceFirst("^https?://", "");
    if (host.isEmpty() || host.contains("/") || host.contains(" ")) {
      throw new IllegalArgumentException("\"" + text + "\" is no endpoint; write host:port");
    }
    boolean hasPort = host.lastIndexOf(':') > host.lastIndexOf(']');
    return hasPort ? host : host + ":" + DEFAULT_PORT;
  }

  private static Map<String, String> settings(String query) {
    var settings = new LinkedHashMap<String, String>();
    if (query.isEmpty()) {
      return settings;
    }
    for (String setting : query.split("&", -1)) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("\"" + setting + "\" is no setting; write name=value");
      }
      settings.put(
          setting.substring(0, equals),
          URLDecoder.decode(setting.substring(equals + 1), StandardCharsets.UTF_8));
    }
    return settings;
  }

  private static @Nullable Tls tls(Map<String, String> settings) {
    boolean wanted = Boolean.parseBoolean(settings.remove("tls"));
    Path authorities = path(settings.remove("ca"));
    Path certificate = path(settings.remove("cert"));
    Path key = path(settings.remove("key"));
    return wanted || authorities != null || certificate != null || key != null
        ? new Tls(authorities, certificate, key)
        : null;
  }

  private static @Nullable User user(Map<String, String> settings) {
    String name = settings.remove("user");
    Path file = path(settings.remove("password-file"));
    if (name == null && file == null) {
      return null;
    }
    if (name == null || file == null) {
      throw new IllegalArgumentException("give user and password-file together, or neither");
    }
    try {
      return new User(name, Files.readString(file).strip());
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read the password file " + file, e);
    }
  }

  private static @Nullable Path path(@Nullable String text) {
    return text == null ? null : Path.of(text);
  }

  private static Duration millis(@Nullable String text, Duration otherwise) {
    return Duration.ofMillis(number(text, (int) otherwise.toMillis()));
  }

  private static int number(@Nullable String text, int otherwise) {
    try {
      return text == null ? otherwise : Integer.parseInt(text);
    } catch (NumberFormatException _) {
      throw new IllegalArgumentException("\"" + text + "\" is no number");
    }
  }
}
