package dev.evenkeel.prove.bench.api.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The objects of one namespace: their names, their bodies, and the version each was last seen at.
 *
 * <p>Threading: an object's version is written by the one client that changes the object.
 */
public final class LoadObjects {

  /** Behind it stands the time of the write, in an event as in an object. */
  static final String WRITTEN_AT = "\"at\":\"";

  private static final int POOL_BYTES = 1 << 18;

  private final LoadKind kind;
  private final String namespace;
  private final int payloadBytes;
  private final String pool;
  private long[] versions = {};

  public LoadObjects(LoadKind kind, String namespace, int payloadBytes) {
    this.kind = kind;
    this.namespace = namespace;
    this.payloadBytes = payloadBytes;
    this.pool = pool(payloadBytes + POOL_BYTES);
  }

  /** Text that does not compress well, so that no server is favoured for trying. */
  private static String pool(int length) {
    String letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    var random = new SplittableRandom(1);
    var text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }

  /** How many there are to be. */
  public int size() {
    return versions.length;
  }

  /** Makes room for more of them; none is lost. */
  public void grow(int size) {
    versions = Arrays.copyOf(versions, Math.max(size, versions.length));
  }

  public String namespace() {
    return namespace;
  }

  public String collectionPath() {
    return kind.collectionPath(namespace);
  }

  public String path(int index) {
    return collectionPath() + "/" + name(index);
  }

  private static String name(int index) {
    String digits = Integer.toString(index);
    return "object-" + "0".repeat(Math.max(0, 8 - digits.length())) + digits;
  }

  public long version(int index) {
    return versions[index];
  }

  public void seen(int index, long version) {
    versions[index] = version;
  }

  /** A body with a payload of its own, on the condition of the version last seen, if any. */
  public byte[] body(int index, long nowNanos) {
    int from = (int) ((nowNanos ^ index * 0x9E3779B9L) & (POOL_BYTES - 1));
    var text =
        new StringBuilder(payloadBytes + 256)
            .append(kind.head())
            .append(",\"metadata\":{\"name\":\"")
            .append(name(index))
            .append("\",\"namespace\":\"")
            .append(namespace)
            .append('"');
    if (versions[index] > 0) {
      text.append(",\"resourceVersion\":\"").append(versions[index]).append('"');
    }
    return text.append("},\"data\":{")
        .append(WRITTEN_AT)
        .append(nowNanos)
        .append("\",\"payload\":\"")
        .append(pool, from, from + payloadBytes)
        .append("\"}}")
        .toString()
        .getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%,d objects in %s", size(), namespace);
  }
}
