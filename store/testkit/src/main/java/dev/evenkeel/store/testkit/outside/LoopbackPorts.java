package dev.evenkeel.store.testkit.outside;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports on 127.0.0.1 for servers that will be stopped and started again on the same port.
 *
 * <p>They lie below the range from which the kernel takes the ports of outgoing connections. A port
 * from within that range can be taken away while its server is down: by any connection, and even by
 * the very client that tries to reconnect, which then talks to itself.
 */
final class LoopbackPorts {

  private static final int FIRST = 20_000;
  private static final int BEHIND_LAST = 32_000;
  private static final int ATTEMPTS_MAX = 1_000;

  private LoopbackPorts() {}

  /** Ports nobody listens on, all different; somebody else may still take one before it is used. */
  static List<Integer> free(int count) {
    var found = new ArrayList<Integer>();
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, BEHIND_LAST);
      if (!found.contains(port) && isFree(port)) {
        found.add(port);
        if (found.size() == count) {
          return List.copyOf(found);
        }
      }
    }
    throw new IllegalStateException(
        "no " + count + " free ports on 127.0.0.1 between " + FIRST + " and " + BEHIND_LAST);
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
