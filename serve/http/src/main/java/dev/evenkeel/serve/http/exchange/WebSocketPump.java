package dev.evenkeel.serve.http.exchange;

import dev.evenkeel.serve.api.BodyStream;
import io.vertx.core.http.ServerWebSocket;
import java.nio.charset.StandardCharsets;

/** A watch over a WebSocket: each event a text frame, without the line's end. */
final class WebSocketPump extends StreamPump {

  private static final short NORMAL_CLOSURE = 1000;

  private final ServerWebSocket socket;

  WebSocketPump(Exchange exchange, BodyStream stream, ServerWebSocket socket) {
    super(exchange, stream, exchange.lane.limits.watchStallTimeout().toNanos());
    this.socket = socket;
  }

  @Override
  public void piece(byte[] head, byte[] body, byte[] tail) {
    byte[] bytes = new byte[head.length + body.length + tail.length];
    System.arraycopy(head, 0, bytes, 0, head.length);
    System.arraycopy(body, 0, bytes, head.length, body.length);
    System.arraycopy(tail, 0, bytes, head.length + body.length, tail.length);
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] == '\n') {
      length--;
    }
    if (length == 0 || released()) {
      return;
    }
    int written = length;
    writing(written);
    socket
        .writeFinalTextFrame(new String(bytes, 0, length, StandardCharsets.UTF_8))
        .onComplete(_ -> written(written));
  }

  @Override
  void push() {}

  @Override
  void pushLast() {
    var _ = socket.close(NORMAL_CLOSURE);
  }
}
