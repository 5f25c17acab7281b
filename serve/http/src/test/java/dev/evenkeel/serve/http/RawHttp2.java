package dev.evenkeel.serve.http;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** HTTP/2 by hand, to be able to do it wrong: requests as one block of plain headers. */
final class RawHttp2 implements AutoCloseable {

  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int PROTOCOL_ERROR = 1;

  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int FRAME_BYTES_MAX = 16_384;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private int lastStream = -1;

  /** A frame that came. */
  @SuppressWarnings("ArrayRecordComponent")
  record Frame(int kind, int flags, int stream, byte[] payload) {

    boolean isLast() {
      return (flags & END_STREAM) != 0;
    }

    /** What is readable of it. */
    String text() {
      return new String(payload, StandardCharsets.ISO_8859_1);
    }

    /** Of a connection's end: the last stream that was looked at. */
    int lastStream() {
      return number(0);
    }

    /** Of a reset, or of a connection's end. */
    int error() {
      return number(kind == GOAWAY ? 4 : 0);
    }

    private int number(int at) {
      return ((payload[at] & 0xff) << 24)
          | ((payload[at + 1] & 0xff) << 16)
          | ((payload[at + 2] & 0xff) << 8)
          | (payload[at + 3] & 0xff);
    }
  }

  RawHttp2(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
    this.out = new DataOutputStream(socket.getOutputStream());
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(SETTINGS, 0, 0, new byte[0]);
    out.flush();
  }

  /** Asks for a path, with one more header of any size. */
  int get(String path, String header, String value) throws IOException {
    var block = new ByteArrayOutputStream();
    literal(block, ":method", "GET");
    literal(block, ":scheme", "https");
    literal(block, ":authority", "127.0.0.1");
    literal(block, ":path", path);
    literal(block, header, value);
    byte[] bytes = block.toByteArray();
    lastStream += 2;
    for (int from = 0; from < bytes.length; from += FRAME_BYTES_MAX) {
      int to = Math.min(bytes.length, from + FRAME_BYTES_MAX);
      int flags = (from == 0 ? END_STREAM : 0) | (to == bytes.length ? END_HEADERS : 0);
      byte[] part = java.util.Arrays.copyOfRange(bytes, from, to);
      frame(from == 0 ? HEADERS : CONTINUATION, flags, lastStream, part);
    }
    out.flush();
    return lastStream;
  }

  void reset(int stream) throws IOException {
    frame(RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8});
    out.flush();
  }

  /** Lets the server send more on the whole connection. */
  void allow(int bytes) throws IOException {
    frame(WINDOW_UPDATE, 0, 0, new byte[] {0, 0, (byte) (bytes >>> 8), (byte) bytes});
    out.flush();
  }

  private void frame(int kind, int flags, int stream, byte[] payload) throws IOException {
    out.writeByte(payload.length >>> 16);
    out.writeShort(payload.length);
    out.writeByte(kind);
    out.writeByte(flags);
    out.writeInt(stream);
    out.write(payload);
  }

  /** A header as it is, neither compressed nor remembered. */
  private static void literal(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    text(block, name);
    text(block, value);
  }

  private static void text(ByteArrayOutputStream block, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length < 127) {
      block.write(bytes.length);
    } else {
      block.write(127);
      int rest = bytes.length - 127;
      while (rest >= 128) {
        block.write((rest & 127) | 128);
        rest >>>= 7;
      }
      block.write(rest);
    }
    block.writeBytes(bytes);
  }

  /** The next frame that concerns the stream, or the connection's end. */
  Frame next(int stream) throws IOException {
    while (true) {
      int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
      int kind = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int about = in.readInt();
      var frame = new Frame(kind, flags, about, in.readNBytes(length));
      if (kind == SETTINGS && flags == 0) {
        frame(SETTINGS, 1, 0, new byte[0]);
        out.flush();
      }
      if (about == stream || kind == GOAWAY) {
        return frame;
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
