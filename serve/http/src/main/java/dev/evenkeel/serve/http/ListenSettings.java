package dev.evenkeel.serve.http;

import dev.evenkeel.serve.http.limit.HttpLimits;

/**
 * Where and how to listen.
 *
 * @param port 0 to have one picked
 * @param eventLoops how many threads serve connections
 * @param nativeTls whether to use BoringSSL where a build of it fits this machine; the JDK's own
 *     otherwise
 */
public record ListenSettings(
    String host, int port, int eventLoops, boolean nativeTls, HttpLimits limits) {

  public ListenSettings {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("a port is 0 to 65535, not " + port);
    }
    if (eventLoops < 1) {
      throw new IllegalArgumentException("at least one event loop is needed");
    }
  }

  /** One event loop for each core, BoringSSL, the default limits. */
  public static ListenSettings on(String host, int port) {
    return new ListenSettings(
        host, port, Runtime.getRuntime().availableProcessors(), true, HttpLimits.DEFAULTS);
  }

  public ListenSettings withLimits(HttpLimits changed) {
    return new ListenSettings(host, port, eventLoops, nativeTls, changed);
  }

  public ListenSettings withEventLoops(int changed) {
    return new ListenSettings(host, port, changed, nativeTls, limits);
  }

  public ListenSettings withJdkTls() {
    return new ListenSettings(host, port, eventLoops, false, limits);
  }
}
