package dev.evenkeel.serve.http.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.AbstractCoalescingBufferQueue;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FlushBatcherTest {

  private final List<String> told = new ArrayList<>();

  /** Stands where HTTP/2's handler does. */
  private final ChannelInboundHandlerAdapter above =
      new ChannelInboundHandlerAdapter() {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
          told.add("read");
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
          told.add(context.channel().isWritable() ? "room" : "full");
        }
      };

  private EmbeddedChannel channel;

  @BeforeEach
  void open() {
    channel = new EmbeddedChannel(new FlushBatcher(), above);
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(10, 20));
  }

  @AfterEach
  void close() {
    var _ = channel.finishAndReleaseAll();
  }

  /** Fills the channel as TLS does: with bytes of its own, which the channel tells of later. */
  private void fill() {
    var queue =
        new AbstractCoalescingBufferQueue(channel, 1) {
          @Override
          protected ByteBuf compose(ByteBufAllocator allocator, ByteBuf first, ByteBuf second) {
            return composeIntoComposite(allocator, first, second);
          }

          @Override
          protected ByteBuf removeEmptyValue() {
            return Unpooled.EMPTY_BUFFER;
          }
        };
    queue.add(Unpooled.wrappedBuffer(new byte[100]));
    assertThat(channel.isWritable()).isFalse();
  }

  @Test
  void fullConnection_isToldBeforeWhatIsReadMeanwhile() {
    fill();
    var _ = channel.writeInbound("frame");
    assertThat(told).startsWith("full", "read");
  }

  @Test
  void fullConnection_isToldBeforeItIsFlushed() {
    channel.pipeline().fireChannelRead("frame");
    fill();
    channel.flush();
    channel.pipeline().fireChannelReadComplete();
    assertThat(told).containsExactly("read", "full");
  }

  @Test
  void fullConnection_isToldOnceByTheBatcher() {
    fill();
    channel.pipeline().fireChannelRead("a").fireChannelRead("b");
    assertThat(told).containsExactly("full", "read", "read");
  }
}
