package dev.evenkeel.kernel.bytes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sequence of bytes, ordered as unsigned numbers, the way every store orders its keys.
 *
 * <p>{@link #wrap} and {@link #array} share the array instead of copying it: whoever hands an array
 * in gives it up, whoever takes it out only reads. That is what lets one encoded object be stored,
 * cached and sent without a copy.
 */
public final class Bytes implements Comparable<Bytes> {

  /** No bytes at all. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private static final int SHOWN_BYTES_MAX = 200;

  // The hash is not cached: Arrays.hashCode is vectorised, and four bytes a key add up.
  private final byte[] array;

  private Bytes(byte[] array) {
    this.array = array;
  }

  /** Takes the array over; the caller must not change it any more. */
  public static Bytes wrap(byte[] array) {
    return array.length == 0 ? EMPTY : new Bytes(array);
  }

  /** The text's UTF-8 bytes. */
  public static Bytes utf8(String text) {
    return wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  public int length() {
    return array.length;
  }

  public boolean isEmpty() {
    return array.length == 0;
  }

  public byte at(int index) {
    return array[index];
  }

  /** The bytes themselves, shared: read, never write. */
  public byte[] array() {
    return array;
  }

  public boolean startsWith(Bytes prefix) {
    int length = prefix.array.length;
    return array.length >= length && Arrays.mismatch(array, 0, length, prefix.array, 0, length) < 0;
  }

  /** How many bytes from the first on are those of the other. */
  public int common(Bytes other) {
    int mismatch = Arrays.mismatch(array, other.array);
    return mismatch < 0 ? array.length : mismatch;
  }

  /**
   * The first {@code length} bytes.
   *
   * @throws IndexOutOfBoundsException if there are fewer
   */
  public Bytes first(int length) {
    Objects.checkFromToIndex(0, length, array.length);
    return length == array.length ? this : wrap(Arrays.copyOf(array, length));
  }

  /** The smallest bytes that are greater than these: these and a zero behind them. */
  public Bytes successor() {
    return new Bytes(Arrays.copyOf(array, array.length + 1));
  }

  /**
   * The smallest bytes greater than everything that starts with these, or null when nothing is: for
   * no bytes, and for bytes that are all 0xff.
   */
  public @Nullable Bytes prefixEnd() {
    for (int i = array.length - 1; i >= 0; i--) {
      if (array[i] != (byte) 0xff) {
        byte[] end = Arrays.copyOf(array, i + 1);
        end[i]++;
        return new Bytes(end);
      }
    }
    return null;
  }

  /** The bytes read as UTF-8; malformed parts become the replacement character. */
  public String utf8() {
    return new String(array, StandardCharsets.UTF_8);
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(array, other.array);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof Bytes bytes && Arrays.equals(array, bytes.array));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }

  /**
   * For people: short ASCII text as it is, other short bytes in hexadecimal, anything longer as its
   * length. A key can be read, an object does not fill the log.
   */
  @Override
  public String toString() {
    if (array.length > SHOWN_BYTES_MAX) {
      return array.length + " bytes";
    }
    for (byte b : array) {
      // Bytes are signed: whatever is not ASCII is below zero.
      if (b < 0x20 || b == 0x7f) {
        return "0x" + HexFormat.of().formatHex(array);
      }
    }
    return utf8();
  }
}
