package dev.evenkeel.prove.bench.api.load;

import java.nio.charset.StandardCharsets;

/**
 * The answer to a request, as far as it is of interest: the beginning of its body and how long it
 * was. Valid while it is being checked.
 *
 * <p>Threading: owned by its client's event loop.
 */
public final class Answer {

  private final Marker resourceVersion = new Marker("\"resourceVersion\":\"");
  private final byte[] kept;
  private int keptLength;
  private int status;
  private long length;

  Answer(int keptBytesMax) {
    this.kept = new byte[keptBytesMax];
  }

  void reset() {
    keptLength = 0;
    status = 0;
    length = 0;
  }

  void head(int newStatus) {
    status = newStatus;
  }

  void bytes(byte[] bytes, int from, int to) {
    int count = Math.min(to - from, kept.length - keptLength);
    System.arraycopy(bytes, from, kept, keptLength, count);
    keptLength += count;
    length += to - from;
  }

  public int status() {
    return status;
  }

  public long length() {
    return length;
  }

  /** The first version in what was kept of the body, or -1. */
  public long resourceVersion() {
    return resourceVersion.number(kept, 0, keptLength);
  }

  /** What was kept of the body. */
  public String text() {
    return new String(kept, 0, keptLength, StandardCharsets.UTF_8);
  }
}
