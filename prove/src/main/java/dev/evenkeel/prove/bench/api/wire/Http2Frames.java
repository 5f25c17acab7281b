package dev.evenkeel.prove.bench.api.wire;

import java.util.Arrays;

/**
 * Cuts bytes into HTTP/2's frames (RFC 9113, section 4). Of a DATA frame the bytes are handed on as
 * they come; every other frame is small and handed on as a whole.
 *
 * <p>Threading: owned by its connection.
 */
final class Http2Frames {

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 0x1;
  static final int ACK = 0x1;
  static final int END_HEADERS = 0x4;
  static final int PADDED = 0x8;
  static final int PRIORITY = 0x20;

  static final int HEADER_BYTES = 9;
  private static final int FRAME_BYTES_MAX = 1 << 14;

  /** What the frames are for. */
  interface Sink {

    /** A part of what a DATA frame carries. */
    void data(int stream, byte[] bytes, int from, int to);

    /**
     * A DATA frame is over.
     *
     * @param frameBytes what it counts against the windows
     */
    void dataEnd(int stream, int frameBytes, boolean endStream);

    /** A frame other than DATA, its payload valid during this call only. */
    void frame(int type, int flags, int stream, byte[] payload, int length);
  }

  private final Sink sink;
  private final byte[] header = new byte[HEADER_BYTES];
  private int headerLength;
  private boolean inFrame;
  private int type;
  private int flags;
  private int stream;
  private int length;
  private int taken;

  /** Of a padded DATA frame: where its data end; unknown until the first byte is there. */
  private int dataEnd;

  private byte[] payload = new byte[256];

  Http2Frames(Sink sink) {
    this.sink = sink;
  }

  void feed(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      if (inFrame) {
        at = type == DATA ? data(bytes, at, to) : other(bytes, at, to);
      } else {
        at = header(bytes, at, to);
      }
      if (inFrame && taken == length) {
        finish();
      }
    }
  }

  private int header(byte[] bytes, int at, int to) {
    if (headerLength == 0 && to - at >= HEADER_BYTES) {
      begin(bytes, at);
      return at + HEADER_BYTES;
    }
    int count = Math.min(HEADER_BYTES - headerLength, to - at);
    System.arraycopy(bytes, at, header, headerLength, count);
    headerLength += count;
    if (headerLength == HEADER_BYTES) {
      headerLength = 0;
      begin(header, 0);
    }
    return at + count;
  }

  private void begin(byte[] bytes, int at) {
    length = (bytes[at] & 0xff) << 16 | (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff);
    type = bytes[at + 3];
    flags = bytes[at + 4];
    stream = int32(bytes, at + 5) & 0x7fffffff;
    taken = 0;
    dataEnd = length;
    inFrame = true;
    if (length > FRAME_BYTES_MAX) {
      throw new ProtocolException("a frame over " + FRAME_BYTES_MAX + " bytes");
    }
  }

  private int data(byte[] bytes, int at, int to) {
    int start = at;
    if ((flags & PADDED) != 0 && taken == 0) {
      dataEnd = length - (bytes[at] & 0xff);
      taken = 1;
      start++;
    }
    int count = Math.min(length - taken, to - start);
    int dataCount = Math.min(count, Math.max(0, dataEnd - taken));
    if (dataCount > 0) {
      sink.data(stream, bytes, start, start + dataCount);
    }
    taken += count;
    return start + count;
  }

  private int other(byte[] bytes, int at, int to) {
    int count = Math.min(length - taken, to - at);
    if (payload.length < length) {
      payload = Arrays.copyOf(payload, length);
    }
    System.arraycopy(bytes, at, payload, taken, count);
    taken += count;
    return at + count;
  }

  private void finish() {
    inFrame = false;
    if (type == DATA) {
      sink.dataEnd(stream, length, (flags & END_STREAM) != 0);
    } else {
      sink.frame(type, flags, stream, payload, length);
    }
  }

  static int int32(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }
}
