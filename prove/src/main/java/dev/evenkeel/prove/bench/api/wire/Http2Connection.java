package dev.evenkeel.prove.bench.api.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.collection.IntObjectHashMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/2 with any number of requests at once, with the windows of Go's client: 4 MiB for a stream,
 * 1 GiB for the connection.
 *
 * <p>Invariants: a stream is in {@code streams} from its request to its end; what a stream may
 * still send is never sent beyond the server's windows, and in the order of the requests.
 */
final class Http2Connection extends Connection implements Http2Frames.Sink {

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int DEFAULT_WINDOW = 65_535;
  private static final int STREAM_WINDOW = 4 << 20;
  private static final int CONNECTION_WINDOW = 1 << 30;

  private static final int SETTING_TABLE_BYTES = 1;
  private static final int SETTING_PUSH = 2;
  private static final int SETTING_STREAMS_MAX = 3;
  private static final int SETTING_WINDOW = 4;
  private static final int SETTING_FRAME_BYTES = 5;

  /** One request and its answer. */
  private static final class Stream {
    final int id;
    final Receiver receiver;
    int unacknowledgedBytes;
    long sendWindow;
    byte[] unsent;
    int unsentFrom;
    boolean headSeen;

    Stream(int id, Receiver receiver, long sendWindow, byte[] unsent) {
      this.id = id;
      this.receiver = receiver;
      this.sendWindow = sendWindow;
      this.unsent = unsent;
    }
  }

  private final Target target;
  private final Http2Frames frames = new Http2Frames(this);
  private final DefaultHttp2HeadersDecoder headersDecoder =
      new DefaultHttp2HeadersDecoder(false, 64 << 10);
  private final IntObjectHashMap<Stream> streams = new IntObjectHashMap<>();
  private final ArrayDeque<Stream> waitingToSend = new ArrayDeque<>();

  private @Nullable RequestHeaders requestHeaders;
  private @Nullable ByteBuf headerBlock;
  private boolean headerBlockEndsStream;
  private @Nullable Stream latest;
  private int nextStream = 1;
  private int streamsMax = 100;
  private int peerTableBytes = RequestHeaders.TABLE_BYTES_DEFAULT;
  private int peerStreamWindow = DEFAULT_WINDOW;
  private int peerFrameBytes = 1 << 14;
  private long sendWindow = DEFAULT_WINDOW;
  private int unacknowledgedBytes;
  private boolean closed;

  Http2Connection(Target target) {
    this.target = target;
  }

  /** TLS is up: say hello. Requests wait for the server's settings. */
  @Override
  void established() {
    ByteBuf hello = buffer(128);
    hello.writeBytes(PREFACE);
    frameHeader(hello, 12, Http2Frames.SETTINGS, 0, 0);
    hello.writeShort(SETTING_PUSH).writeInt(0);
    hello.writeShort(SETTING_WINDOW).writeInt(STREAM_WINDOW);
    windowUpdate(hello, 0, CONNECTION_WINDOW - DEFAULT_WINDOW);
    write(hello);
  }

  @Override
  public int room() {
    return closed ? 0 : streamsMax - streams.size();
  }

  @Override
  public void send(Request request, Receiver receiver) {
    if (closed || requestHeaders == null) {
      receiver.failed("connection closed");
      return;
    }
    var stream = new Stream(nextStream, receiver, peerStreamWindow, request.body());
    nextStream += 2;
    streams.put(stream.id, stream);
    ByteBuf bytes = buffer(512 + stream.unsent.length);
    frameHeader(bytes, 0, Http2Frames.HEADERS, 0, stream.id);
    requestHeaders.write(request, bytes);
    int endStream = stream.unsent.length == 0 ? Http2Frames.END_STREAM : 0;
    bytes.setMedium(0, bytes.writerIndex() - Http2Frames.HEADER_BYTES);
    bytes.setByte(4, Http2Frames.END_HEADERS | endStream);
    if (endStream == 0 && (!waitingToSend.isEmpty() || !sendBody(stream, bytes))) {
      waitingToSend.add(stream);
    }
    write(bytes);
  }

  /** Sends as much as the windows allow, and says whether that was all. */
  private boolean sendBody(Stream stream, ByteBuf to) {
    while (true) {
      int left = stream.unsent.length - stream.unsentFrom;
      int count =
          (int) Math.min(Math.min(left, peerFrameBytes), Math.min(sendWindow, stream.sendWindow));
      if (count <= 0) {
        return false;
      }
      boolean last = count == left;
      frameHeader(to, count, Http2Frames.DATA, last ? Http2Frames.END_STREAM : 0, stream.id);
      to.writeBytes(stream.unsent, stream.unsentFrom, count);
      stream.unsentFrom += count;
      stream.sendWindow -= count;
      sendWindow -= count;
      if (last) {
        stream.unsent = new byte[0];
        return true;
      }
    }
  }

  private void sendWaiting() {
    if (waitingToSend.isEmpty()) {
      return;
    }
    ByteBuf bytes = buffer(1 << 14);
    waitingToSend.removeIf(stream -> !streams.containsKey(stream.id) || sendBody(stream, bytes));
    write(bytes);
  }

  @Override
  void received(byte[] bytes, int from, int to) {
    frames.feed(bytes, from, to);
  }

  @Override
  public void data(int id, byte[] bytes, int from, int to) {
    Stream stream = stream(id);
    if (stream != null) {
      stream.receiver.bytes(bytes, from, to);
    }
  }

  @Override
  public void dataEnd(int id, int frameBytes, boolean endStream) {
    unacknowledgedBytes += frameBytes;
    if (unacknowledgedBytes >= CONNECTION_WINDOW / 2) {
      acknowledge(0, unacknowledgedBytes);
      unacknowledgedBytes = 0;
    }
    Stream stream = stream(id);
    if (stream == null) {
      return;
    }
    if (endStream) {
      forget(stream);
      stream.receiver.end();
      return;
    }
    stream.unacknowledgedBytes += frameBytes;
    if (stream.unacknowledgedBytes >= STREAM_WINDOW / 2) {
      acknowledge(id, stream.unacknowledgedBytes);
      stream.unacknowledgedBytes = 0;
    }
  }

  private void acknowledge(int id, int count) {
    ByteBuf bytes = buffer(Http2Frames.HEADER_BYTES + 4);
    windowUpdate(bytes, id, count);
    write(bytes);
  }

  @Override
  public void frame(int type, int flags, int id, byte[] payload, int length) {
    switch (type) {
      case Http2Frames.HEADERS -> headers(flags, id, payload, length);
      case Http2Frames.CONTINUATION -> headerBlock(flags, id, payload, 0, length);
      case Http2Frames.RST_STREAM -> reset(id, Http2Frames.int32(payload, 0));
      case Http2Frames.SETTINGS -> settings(flags, payload, length);
      case Http2Frames.PING -> ping(flags, payload);
      case Http2Frames.GOAWAY -> goAway(Http2Frames.int32(payload, 0));
      case Http2Frames.WINDOW_UPDATE -> windowUpdated(id, Http2Frames.int32(payload, 0));
      default -> {} // a client ignores what it does not know
    }
  }

  private void headers(int flags, int id, byte[] payload, int length) {
    boolean padded = (flags & Http2Frames.PADDED) != 0;
    int from = padded ? 1 : 0;
    int to = padded ? length - (payload[0] & 0xff) : length;
    if ((flags & Http2Frames.PRIORITY) != 0) {
      from += 5;
    }
    headerBlockEndsStream = (flags & Http2Frames.END_STREAM) != 0;
    headerBlock(flags, id, payload, from, to);
  }

  private void headerBlock(int flags, int id, byte[] payload, int from, int to) {
    boolean whole = (flags & Http2Frames.END_HEADERS) != 0;
    if (headerBlock == null && whole) {
      headersRead(id, Unpooled.wrappedBuffer(payload, from, to - from));
      return;
    }
    if (headerBlock == null) {
      headerBlock = Unpooled.buffer();
    }
    headerBlock.writeBytes(payload, from, to - from);
    if (whole) {
      ByteBuf block = headerBlock;
      headerBlock = null;
      headersRead(id, block);
    }
  }

  private void headersRead(int id, ByteBuf block) {
    CharSequence status;
    try {
      // Also for a stream that is gone: the table must follow.
      status = headersDecoder.decodeHeaders(id, block).status();
    } catch (Http2Exception e) {
      throw new ProtocolException("headers that cannot be decoded: " + e.getMessage());
    }
    Stream stream = stream(id);
    if (stream == null) {
      return;
    }
    if (status != null && !stream.headSeen) {
      int code = Integer.parseInt(status, 0, status.length(), 10);
      stream.headSeen = code >= 200;
      if (stream.headSeen) {
        stream.receiver.head(code);
      }
    }
    if (headerBlockEndsStream) {
      forget(stream);
      stream.receiver.end();
    }
  }

  private void reset(int id, int code) {
    Stream stream = stream(id);
    if (stream != null) {
      forget(stream);
      stream.receiver.failed("stream reset with code " + code);
    }
  }

  private void settings(int flags, byte[] payload, int length) {
    if ((flags & Http2Frames.ACK) != 0) {
      return;
    }
    for (int at = 0; at + 6 <= length; at += 6) {
      int value = Http2Frames.int32(payload, at + 2);
      switch ((payload[at] & 0xff) << 8 | (payload[at + 1] & 0xff)) {
        case SETTING_TABLE_BYTES -> peerTableBytes = value;
        case SETTING_STREAMS_MAX -> streamsMax = value < 0 ? Integer.MAX_VALUE : value;
        case SETTING_FRAME_BYTES -> peerFrameBytes = value;
        case SETTING_WINDOW -> {
          int change = value - peerStreamWindow;
          peerStreamWindow = value;
          streams.values().forEach(stream -> stream.sendWindow += change);
        }
        default -> {} // a client ignores what it does not know
      }
    }
    ByteBuf bytes = buffer(Http2Frames.HEADER_BYTES);
    frameHeader(bytes, 0, Http2Frames.SETTINGS, Http2Frames.ACK, 0);
    write(bytes);
    if (requestHeaders == null) {
      requestHeaders =
          new RequestHeaders(target, Math.min(peerTableBytes, RequestHeaders.TABLE_BYTES_DEFAULT));
      super.established();
    }
    sendWaiting();
  }

  private void ping(int flags, byte[] payload) {
    if ((flags & Http2Frames.ACK) == 0) {
      ByteBuf bytes = buffer(Http2Frames.HEADER_BYTES + 8);
      frameHeader(bytes, 8, Http2Frames.PING, Http2Frames.ACK, 0);
      bytes.writeBytes(payload, 0, 8);
      write(bytes);
    }
  }

  /** No new streams; those above the given one were never looked at. */
  private void goAway(int lastStream) {
    closed = true;
    for (Stream stream : List.copyOf(streams.values())) {
      if (stream.id > lastStream) {
        forget(stream);
        stream.receiver.failed("server went away");
      }
    }
  }

  private void windowUpdated(int id, int count) {
    if (id == 0) {
      sendWindow += count;
    } else {
      Stream stream = stream(id);
      if (stream != null) {
        stream.sendWindow += count;
      }
    }
    sendWaiting();
  }

  /** Frames of one stream often come in a row. */
  private @Nullable Stream stream(int id) {
    Stream known = latest;
    if (known == null || known.id != id) {
      known = streams.get(id);
      latest = known;
    }
    return known;
  }

  private void forget(Stream stream) {
    streams.remove(stream.id);
    latest = null;
  }

  @Override
  void lost(String kind) {
    closed = true;
    var all = new ArrayList<>(streams.values());
    streams.clear();
    latest = null;
    all.forEach(stream -> stream.receiver.failed(kind));
  }

  private static void frameHeader(ByteBuf to, int length, int type, int flags, int stream) {
    to.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream);
  }

  private static void windowUpdate(ByteBuf to, int stream, int count) {
    frameHeader(to, 4, Http2Frames.WINDOW_UPDATE, 0, stream);
    to.writeInt(count);
  }
}
