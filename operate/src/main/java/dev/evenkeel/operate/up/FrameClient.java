package dev.evenkeel.operate.up;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * As little of an HTTP/2 client as can ask: it sends requests and counts answers without reading
 * them. Little on purpose: it shares the JVM with the server that it warms, and what it needs
 * compiled delays what the server does.
 *
 * <p><b>Threading:</b> one thread, but for {@link #close}.
 */
final class FrameClient implements AutoCloseable {

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  // Kinds of frames, and flags, by RFC 9113.
  private static final int DATA = 0x0;
  private static final int HEADERS = 0x1;
  private static final int RST_STREAM = 0x3;
  private static final int SETTINGS = 0x4;
  private static final int PING = 0x6;
  private static final int GOAWAY = 0x7;
  private static final int WINDOW_UPDATE = 0x8;
  private static final int ACK = 0x1;
  private static final int END_STREAM = 0x1;
  private static final int END_HEADERS = 0x4;
  private static final int INITIAL_WINDOW_SIZE = 0x4;

  /** Answers are never waited for by the server: this client takes all there is. */
  private static final int WINDOW_BYTES = 1 << 30;

  /** Fewer than any server allows, and less data than its first window takes. */
  private static final int OPEN_MAX = 16;

  private static final int TIMEOUT_MILLIS = 10_000;

  private final SSLSocket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final String authority;
  private final String token;
  private int lastStream = -1;
  private int open;

  private FrameClient(SSLSocket socket, String authority, String token) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
    this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 15));
    this.authority = authority;
    this.token = token;
  }

  static FrameClient connect(URI server, SSLContext tls, String token) throws IOException {
    SSLSocket socket = socket(server, tls, "h2");
    try {
      var client = new FrameClient(socket, server.getAuthority(), token);
      client.greet();
      return client;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * A connection on which hands have been shaken.
   *
   * @param protocol what will be spoken, by its name in TLS
   */
  static SSLSocket socket(URI server, SSLContext tls, String protocol) throws IOException {
    String host = server.getHost().replaceAll("[\\[\\]]", "");
    var socket = (SSLSocket) tls.getSocketFactory().createSocket(host, server.getPort());
    try {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {protocol});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private void greet() throws IOException {
    out.write(PREFACE);
    frame(6, SETTINGS, 0, 0);
    out.writeShort(INITIAL_WINDOW_SIZE);
    out.writeInt(WINDOW_BYTES);
    frame(4, WINDOW_UPDATE, 0, 0);
    out.writeInt(WINDOW_BYTES);
  }

  /** Sends a request; its answer comes when it comes. */
  void send(String method, String path, String body) throws IOException {
    while (open >= OPEN_MAX) {
      out.flush();
      read();
    }
    lastStream += 2;
    open++;
    byte[] head = head(method, path);
    byte[] data = body.getBytes(StandardCharsets.UTF_8);
    frame(head.length, HEADERS, END_HEADERS | (data.length == 0 ? END_STREAM : 0), lastStream);
    out.write(head);
    if (data.length > 0) {
      frame(data.length, DATA, END_STREAM, lastStream);
      out.write(data);
    }
  }

  void awaitAnswers() throws IOException {
    out.flush();
    while (open > 0) {
      read();
    }
  }

  private void read() throws IOException {
    int length = (in.readUnsignedShort() << 8) | in.readUnsignedByte();
    int kind = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    in.readInt();
    byte[] payload = in.readNBytes(length);
    switch (kind) {
      case DATA, HEADERS -> {
        if ((flags & END_STREAM) != 0) {
          open--;
        }
      }
      case RST_STREAM -> open--;
      case SETTINGS -> {
        if ((flags & ACK) == 0) {
          frame(0, SETTINGS, ACK, 0);
          out.flush();
        }
      }
      case PING -> {
        if ((flags & ACK) == 0) {
          frame(payload.length, PING, ACK, 0);
          out.write(payload);
          out.flush();
        }
      }
      case GOAWAY -> throw new IOException("the server wants no more");
      default -> {
        // Nothing that this client would heed.
      }
    }
  }

  private void frame(int length, int kind, int flags, int stream) throws IOException {
    out.writeByte(length >>> 16);
    out.writeShort(length);
    out.writeByte(kind);
    out.writeByte(flags);
    out.writeInt(stream);
  }

  private byte[] head(String method, String path) {
    var head = new ByteArrayOutputStream(256);
    field(head, ":method", method);
    field(head, ":scheme", "https");
    field(head, ":authority", authority);
    field(head, ":path", path);
    field(head, "authorization", "Bearer " + token);
    field(head, "accept", "application/json");
    field(head, "content-type", "application/json");
    field(head, "user-agent", "evenkeel-warm-up");
    return head.toByteArray();
  }

  /** A field that neither side remembers, by RFC 7541, 6.2.2. */
  private static void field(ByteArrayOutputStream head, String name, String value) {
    head.write(0);
    text(head, name);
    text(head, value);
  }

  private static void text(OutputStream head, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    try {
      if (bytes.length < 127) {
        head.write(bytes.length);
      } else {
        head.write(127);
        int rest = bytes.length - 127;
        for (; rest >= 128; rest >>>= 7) {
          head.write((rest & 0x7f) | 0x80);
        }
        head.write(rest);
      }
      head.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more.
    }
  }
}
