package dev.evenkeel.prove.bench.api.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1, kept alive, one request at a time. */
final class Http1Connection extends Connection {

  private final byte[] fixedHeaders;
  private final Http1Parser parser = new Http1Parser();
  private @Nullable Receiver receiver;
  private boolean closed;

  Http1Connection(Target target) {
    var text = new StringBuilder(" HTTP/1.1\r\nhost: ").append(target.authority()).append("\r\n");
    text.append("user-agent: ").append(Target.USER_AGENT);
    text.append("\r\n");
    if (target.token() != null) {
      text.append("authorization: Bearer ").append(target.token()).append("\r\n");
    }
    this.fixedHeaders = text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public int room() {
    return closed || receiver != null ? 0 : 1;
  }

  @Override
  public void send(Request request, Receiver answerTo) {
    if (closed) {
      answerTo.failed("connection closed");
      return;
    }
    receiver = answerTo;
    parser.begin(answerTo);
    byte[] body = request.body();
    ByteBuf bytes = buffer(256 + fixedHeaders.length + body.length);
    bytes.writeCharSequence(request.method().name(), StandardCharsets.US_ASCII);
    bytes.writeByte(' ');
    bytes.writeCharSequence(request.path(), StandardCharsets.US_ASCII);
    bytes.writeBytes(fixedHeaders);
    bytes.writeCharSequence(
        request.accept() == null
            ? "accept: application/json\r\n"
            : "accept: " + request.accept() + "\r\naccept-encoding: gzip\r\n",
        StandardCharsets.US_ASCII);
    if (body.length > 0) {
      bytes.writeCharSequence(
          "content-type: application/json\r\ncontent-length: ", StandardCharsets.US_ASCII);
      bytes.writeCharSequence(Integer.toString(body.length), StandardCharsets.US_ASCII);
      bytes.writeShort('\r' << 8 | '\n');
    }
    bytes.writeShort('\r' << 8 | '\n');
    bytes.writeBytes(body);
    write(bytes);
  }

  @Override
  void received(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      Receiver current = receiver;
      if (current == null) {
        throw new ProtocolException("bytes that answer no request");
      }
      at = parser.feed(bytes, at, to);
      if (parser.ended()) {
        // First forget it, then tell: the receiver sends its next request from within.
        receiver = null;
        current.end();
      }
    }
  }

  @Override
  void lost(String kind) {
    closed = true;
    Receiver current = receiver;
    receiver = null;
    if (current != null) {
      if (parser.endsWithConnection()) {
        current.end();
      } else {
        current.failed(kind);
      }
    }
  }
}
