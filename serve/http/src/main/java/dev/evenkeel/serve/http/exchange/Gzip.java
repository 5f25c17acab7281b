package dev.evenkeel.serve.http.exchange;

import dev.evenkeel.serve.http.lane.Lane;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Compresses into a lane's staging buffer, quickly rather than well: a level above the first costs
 * several times the processor for a few percent.
 *
 * <p><b>Threading.</b> The lane's event loop.
 */
final class Gzip implements AutoCloseable {

  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
  private static final int TRAILER_BYTES = 8;

  private final Lane lane;
  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
  private final CRC32 checksum = new CRC32();

  Gzip(Lane lane) {
    this.lane = lane;
    lane.staging.buffer().writeBytes(HEADER);
  }

  void put(byte[] bytes, BodyPump pump) {
    checksum.update(bytes, 0, bytes.length);
    deflater.setInput(bytes, 0, bytes.length);
    deflate(pump);
  }

  void put(ByteBuffer bytes, BodyPump pump) {
    checksum.update(bytes.duplicate());
    deflater.setInput(bytes);
    deflate(pump);
  }

  void finish(BodyPump pump) {
    deflater.finish();
    deflate(pump);
    if (lane.staging.buffer().writableBytes() < TRAILER_BYTES) {
      pump.stagingFull();
    }
    lane.staging
        .buffer()
        .writeIntLE((int) checksum.getValue())
        .writeIntLE((int) deflater.getBytesRead());
  }

  /** Until it has taken all of the input, or has come to its end: then there is room left. */
  private void deflate(BodyPump pump) {
    do {
      if (!lane.staging.buffer().isWritable()) {
        pump.stagingFull();
      }
      ByteBuf staging = lane.staging.buffer();
      int count =
          deflater.deflate(staging.nioBuffer(staging.writerIndex(), staging.writableBytes()));
      staging.writerIndex(staging.writerIndex() + count);
    } while (!lane.staging.buffer().isWritable());
  }

  @Override
  public void close() {
    deflater.end();
  }
}
