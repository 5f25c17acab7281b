package dev.evenkeel.operate.up;

/** A host and a port as people type them: {@code 127.0.0.1:6443}, {@code [::1]:6443}. */
record ListenAddress(String host, int port) {

  /**
   * @throws IllegalArgumentException if it is none; the message is for whoever typed it
   */
  static ListenAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      host = "";
    }
    int port = port(text.substring(colon + 1));
    if (host.isEmpty() || port < 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is no address; write HOST:PORT, as in 127.0.0.1:6443");
    }
    return new ListenAddress(host, port);
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      return port > 65_535 ? -1 : port;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** What clients on this machine call it. */
  String url(int actualPort) {
    String reachable =
        switch (host) {
          case "0.0.0.0" -> "127.0.0.1";
          case "::" -> "::1";
          default -> host;
        };
    return "https://"
        + (reachable.indexOf(':') >= 0 ? "[" + reachable + "]" : reachable)
        + ":"
        + actualPort;
  }
}
