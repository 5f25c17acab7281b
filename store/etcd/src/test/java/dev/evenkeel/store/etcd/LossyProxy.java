package dev.evenkeel.store.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A wire between the engine and an etcd that can be made to lose what goes over it in one direction
 * or both, silently, and can be cut. Connections made after a cut are whole again.
 */
final class LossyProxy implements AutoCloseable {

  private final ServerSocket listener;
  private final URI target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Queue<String> lostRequests = new ConcurrentLinkedQueue<>();
  private volatile boolean losesRequests;
  private volatile boolean losesAnswers;

  LossyProxy(String targetUrl) throws IOException {
    this.target = URI.create(targetUrl);
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("proxy").start(this::accept);
  }

  String endpoint() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  void loseRequests() {
    losesRequests = true;
  }

  /** Whether a request with this text in it was lost. */
  boolean hasLost(String text) {
    return String.join("", lostRequests).contains(text);
  }

  void loseAnswers() {
    losesAnswers = true;
  }

  void cut() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
    losesRequests = false;
    losesAnswers = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket near = listener.accept();
        Socket far = new Socket(target.getHost(), target.getPort());
        sockets.add(near);
        sockets.add(far);
        pump(near, far, true);
        pump(far, near, false);
      }
    } catch (IOException _) {
      // Closed.
    }
  }

  private void pump(Socket from, Socket to, boolean requests) {
    Thread.ofPlatform()
        .daemon()
        .name("proxy-pump")
        .start(
            () -> {
              byte[] buffer = new byte[64 << 10];
              try (from;
                  to;
                  InputStream in = from.getInputStream();
                  OutputStream out = to.getOutputStream()) {
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                  if (!(requests ? losesRequests : losesAnswers)) {
                    out.write(buffer, 0, n);
                  } else if (requests) {
                    lostRequests.add(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
                  }
                }
              } catch (IOException _) {
                // Cut.
              }
            });
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
