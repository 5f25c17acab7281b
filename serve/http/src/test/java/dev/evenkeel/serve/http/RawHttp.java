package dev.evenkeel.serve.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** HTTP/1.1 by hand, to be able to do it wrong. */
final class RawHttp implements AutoCloseable {

  private final Socket socket;

  RawHttp(Socket socket) {
    this.socket = socket;
  }

  void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /** One answer that has a length, headers and all. */
  String answer() throws IOException {
    InputStream in = socket.getInputStream();
    var head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("closed after: " + head);
      }
      head.write(next);
    }
    String headers = head.toString(StandardCharsets.ISO_8859_1);
    String lower = headers.toLowerCase(java.util.Locale.ROOT);
    int at = lower.indexOf("content-length: ");
    int length =
        at < 0 ? 0 : Integer.parseInt(lower.substring(at + 16, lower.indexOf("\r\n", at)).strip());
    return headers + new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
  }

  /** Waits until the server closes the connection; fails if it sends something instead. */
  boolean isClosedByServer() throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true; // a reset closes too
    }
  }

  Socket socket() {
    return socket;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
