package dev.evenkeel.prove.bench.api.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Cuts a stream of bytes into lines. A line that arrives whole is not copied; of one that is cut,
 * the beginning is kept.
 *
 * <p>Threading: owned by one event loop.
 */
abstract class Lines {

  /** Of a line that arrives in parts, what is behind this is not looked at. */
  private static final int KEPT_BYTES_MAX = 8 << 10;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long NEWLINES = ONES * '\n';

  private byte[] kept = {};
  private int keptLength;
  private boolean cut;

  /** A line without its end; if it came in parts, perhaps only its first 8 KiB. */
  abstract void line(byte[] bytes, int from, int to);

  final void feed(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      int end = newline(bytes, at, to);
      if (end < 0) {
        keep(bytes, at, to);
        return;
      }
      if (cut) {
        keep(bytes, at, end);
        cut = false;
        int length = keptLength;
        keptLength = 0;
        line(kept, 0, length);
      } else {
        line(bytes, at, end);
      }
      at = end + 1;
    }
  }

  /** Whether the last line is still without its end. */
  final boolean isCut() {
    return cut;
  }

  private void keep(byte[] bytes, int from, int to) {
    cut = true;
    int count = Math.min(to - from, KEPT_BYTES_MAX - keptLength);
    if (keptLength + count > kept.length) {
      kept =
          Arrays.copyOf(kept, Math.min(KEPT_BYTES_MAX, Math.max(2048, 2 * (keptLength + count))));
    }
    System.arraycopy(bytes, from, kept, keptLength, count);
    keptLength += count;
  }

  /*
   * Eight bytes at a time: after the exclusive or, a newline is a zero byte, and the well-known
   * expression leaves the highest bit of the first zero byte set.
   */
  static int newline(byte[] bytes, int from, int to) {
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      long word = (long) LONGS.get(bytes, at) ^ NEWLINES;
      long zeros = (word - ONES) & ~word & HIGHS;
      if (zeros != 0) {
        return at + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == '\n') {
        return at;
      }
    }
    return -1;
  }
}
