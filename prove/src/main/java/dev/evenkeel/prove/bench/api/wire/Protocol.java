package dev.evenkeel.prove.bench.api.wire;

import io.netty.handler.ssl.ApplicationProtocolNames;

/** How a connection speaks. */
public enum Protocol {
  HTTP_1(ApplicationProtocolNames.HTTP_1_1),
  HTTP_2(ApplicationProtocolNames.HTTP_2);

  private final String alpn;

  Protocol(String alpn) {
    this.alpn = alpn;
  }

  /** The name under which TLS negotiates it. */
  String alpn() {
    return alpn;
  }

  /** By the major version. */
  public static Protocol of(int version) {
    return switch (version) {
      case 1 -> HTTP_1;
      case 2 -> HTTP_2;
      default -> throw new IllegalArgumentException("HTTP/" + version + " is not spoken here");
    };
  }
}
