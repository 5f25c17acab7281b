package dev.evenkeel.prove.bench.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class Http2FramesTest {

  /** Remembers what came, with the data of one frame put together. */
  private static final class Sink implements Http2Frames.Sink {
    final List<String> seen = new ArrayList<>();
    final StringBuilder data = new StringBuilder();

    @Override
    public void data(int stream, byte[] bytes, int from, int to) {
      data.append(new String(bytes, from, to - from, StandardCharsets.US_ASCII));
    }

    @Override
    public void dataEnd(int stream, int frameBytes, boolean endStream) {
      seen.add("data %d %d %b %s".formatted(stream, frameBytes, endStream, data));
      data.setLength(0);
    }

    @Override
    public void frame(int type, int flags, int stream, byte[] payload, int length) {
      seen.add(
          "frame %d %d %d %s"
              .formatted(
                  type, flags, stream, new String(payload, 0, length, StandardCharsets.US_ASCII)));
    }
  }

  private static void frame(ByteBuf to, int type, int flags, int stream, String payload) {
    to.writeMedium(payload.length()).writeByte(type).writeByte(flags).writeInt(stream);
    to.writeCharSequence(payload, StandardCharsets.US_ASCII);
  }

  @Test
  void frames_areTheSameHoweverTheyAreCut() {
    ByteBuf wire = Unpooled.buffer();
    frame(wire, Http2Frames.SETTINGS, 0, 0, "");
    frame(wire, Http2Frames.HEADERS, Http2Frames.END_HEADERS, 1, "header block");
    frame(wire, Http2Frames.DATA, 0, 1, "some data");
    frame(wire, Http2Frames.DATA, Http2Frames.PADDED, 3, "\u0004paddedxxxx");
    frame(wire, Http2Frames.DATA, Http2Frames.PADDED, 3, "\u0000not padded");
    frame(wire, Http2Frames.DATA, 0, 5, "");
    frame(wire, Http2Frames.PING, 0, 0, "12345678");
    frame(wire, Http2Frames.DATA, Http2Frames.END_STREAM, 0x7ffffff1, "z".repeat(16384));
    byte[] bytes = ByteBufUtil.getBytes(wire);
    for (int piece = 1; piece < 200; piece++) {
      var sink = new Sink();
      var frames = new Http2Frames(sink);
      for (int from = 0; from < bytes.length; from += piece) {
        frames.feed(bytes, from, Math.min(bytes.length, from + piece));
      }
      assertThat(sink.seen)
          .as("pieces of " + piece)
          .containsExactly(
              "frame 4 0 0 ",
              "frame 1 4 1 header block",
              "data 1 9 false some data",
              "data 3 11 false padded",
              "data 3 11 false not padded",
              "data 5 0 false ",
              "frame 6 0 0 12345678",
              "data 2147483633 16384 true " + "z".repeat(16384));
    }
  }

  @Test
  void frame_thatIsTooLargeIsRefused() {
    ByteBuf wire = Unpooled.buffer();
    frame(wire, Http2Frames.DATA, 0, 1, "z".repeat(16385));
    byte[] bytes = ByteBufUtil.getBytes(wire);
    assertThatThrownBy(() -> new Http2Frames(new Sink()).feed(bytes, 0, bytes.length))
        .isInstanceOf(ProtocolException.class);
  }
}
