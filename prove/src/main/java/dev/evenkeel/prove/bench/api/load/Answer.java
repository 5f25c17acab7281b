package dev.evenkeel.prove.bench.api.load;

/**
 * The answer to a request, as far as it is of interest: the beginning of its body and how long it
 * was. Valid while it is being checked.
 *
 * <p>Threading: owned by its client's event loop.
 */
public final class Answer {

  private static final int KEPT_BYTES_MAX = 8 << 10;

  private final Marker resourceVersion = new Marker("\"resourceVersion\":\"");
  private final byte[] kept = new byte[KEPT_BYTES_MAX];
  private int keptLength;
  private int status;
  private long length;

  void reset() {
    keptLength = 0;
    status = 0;
    length = 0;
  }

  void head(int newStatus) {
    status = newStatus;
  }

  void bytes(byte[] bytes, int from, int to) {
    int count = Math.min(to - from, KEPT_BYTES_MAX - keptLength);
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

  /** The first version in the body's first 8 KiB, or -1. */
  public long resourceVersion() {
    return resourceVersion.number(kept, 0, keptLength);
  }

  /** The body's first 8 KiB. */
  public String text() {
    return new String(kept, 0, keptLength, java.nio.charset.StandardCharsets.UTF_8);
  }
}
