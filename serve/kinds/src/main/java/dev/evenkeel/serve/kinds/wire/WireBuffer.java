package dev.evenkeel.serve.kinds.wire;

import java.util.Arrays;

/**
 * Takes protobuf as it is written. A message's length stands before it but is known only after it:
 * one byte is left for it, which is enough for most, and longer messages are moved aside.
 *
 * <p>Invariants: the bytes up to {@code at} are what was written. Threading: one thread.
 */
final class WireBuffer {

  private static final int VARINT_BYTES_MAX = 10;

  private byte[] bytes;
  private int at;

  /**
   * @param bytesExpected how much will be written, about
   */
  WireBuffer(int bytesExpected) {
    this.bytes = new byte[Math.max(16, bytesExpected)];
  }

  int size() {
    return at;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, at);
  }

  /** What was written, behind something else. */
  byte[] toBytes(byte[] head) {
    byte[] all = Arrays.copyOf(head, head.length + at);
    System.arraycopy(bytes, 0, all, head.length, at);
    return all;
  }

  private void reserve(int count) {
    if (count > bytes.length - at) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(at, count)));
    }
  }

  void put(int value) {
    reserve(1);
    bytes[at++] = (byte) value;
  }

  void put(byte[] from, int start, int end) {
    int length = end - start;
    reserve(length);
    System.arraycopy(from, start, bytes, at, length);
    at += length;
  }

  void varint(long value) {
    reserve(VARINT_BYTES_MAX);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
  }

  void fixed64(long value) {
    reserve(Long.BYTES);
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[at++] = (byte) (value >>> (8 * i));
    }
  }

  void tag(int number, int wireType) {
    varint((long) number << 3 | wireType);
  }

  /** A field of bytes. */
  void block(int number, byte[] value) {
    tag(number, Wire.LENGTH);
    varint(value.length);
    put(value, 0, value.length);
  }

  /** Leaves room for a length. What it measures goes up to {@link #close}. */
  int open() {
    put(0);
    return at;
  }

  /**
   * @param mark what {@link #open} gave
   */
  void close(int mark) {
    int length = at - mark;
    if (length < 0x80) {
      bytes[mark - 1] = (byte) length;
      return;
    }
    int more = varintBytes(length) - 1;
    reserve(more);
    System.arraycopy(bytes, mark, bytes, mark + more, length);
    at = mark - 1;
    varint(length);
    at += length;
  }

  static int varintBytes(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value | 1) + 6) / 7;
  }
}
