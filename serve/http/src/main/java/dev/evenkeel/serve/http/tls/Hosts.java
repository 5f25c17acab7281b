package dev.evenkeel.serve.http.tls;

import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The names and addresses a server answers to. */
final class Hosts {

  /** What clients, in and out of a cluster, call an API server that they have by their side. */
  private static final List<String> ALWAYS =
      List.of(
          "localhost",
          "127.0.0.1",
          "::1",
          "kubernetes",
          "kubernetes.default",
          "kubernetes.default.svc",
          "kubernetes.default.svc.cluster.local",
          "10.96.0.1");

  private Hosts() {}

  /** Written as an address, not as a name that has one. */
  static boolean isAddress(String host) {
    return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }

  static boolean isWildcard(String host) {
    return host.equals("0.0.0.0") || host.equals("::") || host.equals("0:0:0:0:0:0:0:0");
  }

  /** What the certificate of a server that listens on the host must cover. */
  static Set<String> covering(String listenHost) {
    var names = new LinkedHashSet<>(ALWAYS);
    if (isWildcard(listenHost)) {
      names.addAll(ownAddresses());
    } else {
      names.add(withoutZone(listenHost));
    }
    return names;
  }

  /** A certificate knows no interfaces: {@code fe80::1%eth0} is {@code fe80::1} in it. */
  private static String withoutZone(String host) {
    int percent = host.indexOf('%');
    return percent < 0 ? host : host.substring(0, percent);
  }

  private static List<String> ownAddresses() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLinkLocalAddress())
          .map(address -> withoutZone(address.getHostAddress()))
          .toList();
    } catch (SocketException e) {
      return List.of(); // then it answers to the usual names alone
    }
  }
}
