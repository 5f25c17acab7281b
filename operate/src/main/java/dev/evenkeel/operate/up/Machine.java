package dev.evenkeel.operate.up;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/** What this machine is called, and by which address others reach it. */
final class Machine {

  private static final Path NAME = Path.of("/proc/sys/kernel/hostname");

  private Machine() {}

  /** Its name, found without asking a name server. */
  static String name() {
    try {
      String name = Files.readString(NAME, StandardCharsets.UTF_8).strip();
      if (!name.isEmpty()) {
        return name;
      }
    } catch (IOException e) {
      // Not Linux: the environment mostly knows.
    }
    String known = System.getenv("HOSTNAME");
    return known == null || known.isEmpty() ? "localhost" : known;
  }

  /**
   * The address by which others reach what listens there: the one it listens on, or if that is all
   * of them or one that only this machine knows, the machine's first, as upstream's servers have it.
   * Empty if the machine has none.
   */
  static String address(String listening) {
    InetAddress given = literal(listening);
    if (given != null
        && !given.isAnyLocalAddress()
        && !given.isLoopbackAddress()
        && !given.isLinkLocalAddress()) {
      return given.getHostAddress();
    }
    try {
      InetAddress found = null;
      for (NetworkInterface one : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        if (!one.isUp() || one.isLoopback()) {
          continue;
        }
        for (InetAddress address : Collections.list(one.getInetAddresses())) {
          boolean reachable = !address.isLinkLocalAddress() && !address.isLoopbackAddress();
          if (reachable && (found == null || isBetter(address, found))) {
            found = address;
          }
        }
      }
      return found == null ? "" : withoutScope(found.getHostAddress());
    } catch (SocketException e) {
      return "";
    }
  }

  private static boolean isBetter(InetAddress address, InetAddress found) {
    return address instanceof Inet4Address && !(found instanceof Inet4Address);
  }

  private static String withoutScope(String address) {
    int scope = address.indexOf('%');
    return scope < 0 ? address : address.substring(0, scope);
  }

  private static @Nullable InetAddress literal(String host) {
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
