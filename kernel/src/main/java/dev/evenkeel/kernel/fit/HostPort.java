package dev.evenkeel.kernel.fit;

/**
 * A port of a node that a pod takes for itself.
 *
 * @param protocol as {@code TCP}
 * @param ip on which address; {@value #ANY} for all of them
 */
public record HostPort(String protocol, String ip, int port) implements Comparable<HostPort> {

  /** All addresses of the node. */
  public static final String ANY = "0.0.0.0";

  public HostPort {
    protocol = protocol.isEmpty() ? "TCP" : protocol;
    ip = ip.isEmpty() ? ANY : ip;
  }

  /** Whether only one of them can be had. */
  public boolean excludes(HostPort other) {
    return port == other.port
        && protocol.equals(other.protocol)
        && (ip.equals(other.ip) || ip.equals(ANY) || other.ip.equals(ANY));
  }

  static HostPort parse(String text) {
    int first = text.indexOf('/');
    int last = text.lastIndexOf('/');
    return new HostPort(
        text.substring(0, first),
        text.substring(first + 1, last),
        Integer.parseInt(text, last + 1, text.length(), 10));
  }

  @Override
  public int compareTo(HostPort other) {
    int order = Integer.compare(port, other.port);
    if (order == 0) {
      order = protocol.compareTo(other.protocol);
    }
    return order == 0 ? ip.compareTo(other.ip) : order;
  }

  /** {@code TCP/0.0.0.0/80}. */
  @Override
  public String toString() {
    return protocol + "/" + ip + "/" + port;
  }
}
