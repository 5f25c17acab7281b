package dev.evenkeel.serve.http.exchange;

import dev.evenkeel.serve.api.BodyStream;
import java.util.Arrays;

/** A body that is there as a whole, to be pulled: for compressing it a part at a time. */
final class WholeStream implements BodyStream {

  private static final byte[] NOTHING = new byte[0];

  private final byte[] bytes;
  private int position;

  WholeStream(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public Pull pull(Sink sink, int bytesMax) {
    int end = Math.min(bytes.length, position + bytesMax);
    sink.piece(Arrays.copyOfRange(bytes, position, end), NOTHING, NOTHING);
    position = end;
    return end == bytes.length ? Pull.END : Pull.MORE;
  }

  @Override
  public void onReady(Runnable listener) {
    listener.run();
  }

  @Override
  public void close() {}
}
