package dev.evenkeel.operate.up;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Watches something over HTTP/1.1, as most clients do, and does not look at what comes.
 *
 * <p><b>Threading:</b> reads on a thread of its own, until it is closed.
 */
final class Onlooker implements AutoCloseable {

  private final SSLSocket socket;
  private final Loop loop;

  private Onlooker(SSLSocket socket, Loop loop) {
    this.socket = socket;
    this.loop = loop;
  }

  static Onlooker watch(Env env, URI server, SSLContext tls, String token, String path)
      throws IOException {
    SSLSocket socket = FrameClient.socket(server, tls, "http/1.1");
    try {
      String request =
          "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n\r\n"
              .formatted(path, server.getAuthority(), token);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      socket.setSoTimeout(0);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    var onlooker = new Onlooker(socket, env.loop("warm-up-watch"));
    onlooker.loop.execute(onlooker::read);
    return onlooker;
  }

  private void read() {
    byte[] bytes = new byte[16 << 10];
    try (InputStream in = socket.getInputStream()) {
      while (in.read(bytes) >= 0) {
        // What it says is of no interest.
      }
    } catch (IOException e) {
      // Closed, by one side or the other.
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more.
    }
    loop.close();
  }
}
