package dev.evenkeel.serve.http.exchange;

import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.BodyStream;
import dev.evenkeel.serve.http.buffer.Chunks;
import dev.evenkeel.serve.http.buffer.VertxInside;
import dev.evenkeel.serve.http.limit.HttpLimits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelPromise;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream as the body of an HTTP answer.
 *
 * <p>What is over with the first pull is sent with its length, in one write. A body that may be
 * compressed is held back until it is known to be worth it: that decides the headers.
 *
 * <p><b>Invariants.</b> Held buffers are written, compressed or released; none outlives the
 * exchange.
 */
final class BodyPump extends StreamPump {

  private enum Mode {
    PLAIN,
    UNDECIDED,
    GZIP
  }

  private final HttpServerResponse response;
  private final ApiResponse.Kind kind;
  private final List<ByteBuf> held = new ArrayList<>(0);
  private final @Nullable Chunks chunks;
  private int heldBytes;
  private int underWay;
  private Mode mode;
  private @Nullable Gzip gzip;

  BodyPump(Exchange exchange, BodyStream stream, ApiResponse.Kind kind, boolean mayCompress) {
    super(exchange, stream, stallNanosMax(exchange.lane.limits, kind));
    this.response = exchange.response;
    this.kind = kind;
    this.mode = mayCompress ? Mode.UNDECIDED : Mode.PLAIN;
    this.chunks =
        kind == ApiResponse.Kind.EVENTS && exchange.request.version() == HttpVersion.HTTP_1_1
            ? Chunks.of(VertxInside.channel(exchange.request.connection()))
            : null;
  }

  private static long stallNanosMax(HttpLimits limits, ApiResponse.Kind kind) {
    return switch (kind) {
      case BODY -> limits.stallTimeout().toNanos();
      case EVENTS -> limits.watchStallTimeout().toNanos();
    };
  }

  // ---- what is pulled

  @Override
  public void piece(byte[] head, byte[] body, byte[] tail) {
    put(head);
    put(body);
    put(tail);
  }

  private void put(byte[] bytes) {
    if (gzip != null) {
      gzip.put(bytes, this);
      return;
    }
    int position = 0;
    while (position < bytes.length) {
      if (!lane.staging.buffer().isWritable()) {
        stagingFull();
      }
      ByteBuf staging = lane.staging.buffer();
      int count = Math.min(staging.writableBytes(), bytes.length - position);
      staging.writeBytes(bytes, position, count);
      position += count;
    }
  }

  /** The staging buffer has no room left: its bytes leave it. */
  void stagingFull() {
    if (!released() && writeChunk()) {
      return;
    }
    ByteBuf full = lane.staging.take();
    if (full == null) {
      return;
    }
    if (released()) {
      full.release(); // the client left in the middle of a piece
    } else if (mode == Mode.UNDECIDED) {
      hold(full);
    } else {
      write(full);
    }
  }

  private void hold(ByteBuf buffer) {
    heldBytes += buffer.readableBytes();
    held.add(buffer);
  }

  // ---- what is written

  @Override
  void push() {
    if (mode == Mode.UNDECIDED) {
      ByteBuf staged = lane.staging.take();
      if (staged != null) {
        hold(staged);
      }
      if (heldBytes < lane.limits.gzipBytesMin()) {
        return;
      }
      compressHeld();
    }
    if (writeChunk()) {
      return;
    }
    ByteBuf staged = lane.staging.take();
    if (staged != null) {
      write(staged);
    } else if (kind == ApiResponse.Kind.EVENTS && !response.headWritten()) {
      // The client waits for the headers to know that it watches.
      underWay++;
      response.writeHead().onComplete(_ -> underWay--);
    }
  }

  /** Writes an event past Vert.x, if nothing that went through it is still under way. */
  private boolean writeChunk() {
    if (chunks == null || underWay > 0 || !response.headWritten()) {
      return false;
    }
    int bytes = lane.staging.buffer().readableBytes();
    if (bytes > 0) {
      writing(bytes);
      ChannelPromise written = lane.staging.write(chunks);
      if (written == null || written.isDone()) {
        written(bytes);
      } else {
        var _ = written.addListener(_ -> written(bytes));
      }
    }
    return true;
  }

  @Override
  void pushLast() {
    if (mode == Mode.UNDECIDED) {
      pushHeldAsLast();
      return;
    }
    if (gzip != null) {
      gzip.finish(this);
    }
    ByteBuf staged = lane.staging.take();
    if (staged == null) {
      var _ = response.end();
    } else {
      writeLast(staged);
    }
  }

  /** It was too small to compress. */
  private void pushHeldAsLast() {
    ByteBuf staged = lane.staging.take();
    if (staged != null) {
      hold(staged);
    }
    mode = Mode.PLAIN;
    if (held.isEmpty()) {
      var _ = response.end();
      return;
    }
    response.putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(heldBytes));
    ByteBuf last = held.removeLast();
    held.forEach(this::write);
    held.clear();
    writeLast(last);
  }

  private void compressHeld() {
    mode = Mode.GZIP;
    response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
    response.putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    var started = new Gzip(lane);
    gzip = started;
    for (ByteBuf buffer : held) {
      started.put(buffer.nioBuffer(), this);
      buffer.release();
    }
    held.clear();
  }

  private void write(ByteBuf buffer) {
    int bytes = buffer.readableBytes();
    writing(bytes);
    underWay++;
    response
        .write(VertxInside.buffer(buffer))
        .onComplete(
            _ -> {
              underWay--;
              buffer.release();
              written(bytes);
            });
  }

  private void writeLast(ByteBuf buffer) {
    response.end(VertxInside.buffer(buffer)).onComplete(_ -> buffer.release());
  }

  @Override
  boolean yieldsAfterEachPull() {
    return mode == Mode.GZIP;
  }

  @Override
  void release() {
    super.release();
    held.forEach(ByteBuf::release);
    held.clear();
    if (gzip != null) {
      gzip.close();
      gzip = null;
    }
  }
}
