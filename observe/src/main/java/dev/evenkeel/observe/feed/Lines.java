package dev.evenkeel.observe.feed;

import dev.evenkeel.kernel.json.JsonException;
import java.nio.ByteBuffer;

/**
 * Puts pieces together and gives them out line by line, where they lie.
 *
 * <p><b>Invariants:</b> holds at most one line that is not whole, of {@code bytesMax} bytes, and
 * what came with it.
 *
 * <p><b>Threading:</b> owned by one loop.
 */
final class Lines {

  private static final int FIRST_BYTES = 4 * 1024;

  /** Room that is kept when nothing is held: many feeds are quiet, and few events are longer. */
  private static final int KEPT_BYTES_MAX = 64 * 1024;

  private final int bytesMax;
  private byte[] bytes = new byte[FIRST_BYTES];
  private int start;
  private int end;
  private int searched;
  private int lineStart;

  Lines(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Takes a piece whole. */
  void add(ByteBuffer piece) {
    int more = piece.remaining();
    if (end + more > bytes.length) {
      int held = end - start;
      byte[] room =
          held + more > bytes.length ? new byte[Math.max(held + more, 2 * bytes.length)] : bytes;
      System.arraycopy(bytes, start, room, 0, held);
      bytes = room;
      searched -= start;
      start = 0;
      end = held;
    }
    piece.get(bytes, end, more);
    end += more;
  }

  /** Goes to the next line that is whole; false if there is none. */
  boolean next() {
    for (int i = Math.max(searched, start); i < end; i++) {
      if (bytes[i] == '\n') {
        lineStart = start;
        start = i + 1;
        searched = start;
        return true;
      }
    }
    searched = end;
    if (end - start > bytesMax) {
      throw new JsonException("an event is longer than " + bytesMax + " bytes");
    }
    if (start == end) {
      start = 0;
      end = 0;
      searched = 0;
      if (bytes.length > KEPT_BYTES_MAX) {
        bytes = new byte[FIRST_BYTES];
      }
    }
    return false;
  }

  byte[] bytes() {
    return bytes;
  }

  int from() {
    return lineStart;
  }

  /** The end of the line, without its newline. */
  int to() {
    return start - 1;
  }
}
