package dev.evenkeel.serve.kinds.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes protobuf from the end to the beginning. What is written last stands first, so a message's
 * length is known by the time it is put before the message, and nothing is measured or moved.
 *
 * <p>Invariants: the bytes from {@code at} to the end of the array are what was written. Threading:
 * one thread.
 */
final class WireWriter {

  private static final int INITIAL_BYTES = 1024;

  private static final int VARINT_BYTES_MAX = 10;

  private byte[] bytes = new byte[INITIAL_BYTES];
  private int at = INITIAL_BYTES;

  /** How much is written: a mark against which a message is measured. */
  int size() {
    return bytes.length - at;
  }

  byte[] toBytes() {
    return Arrays.copyOfRange(bytes, at, bytes.length);
  }

  private void reserve(int count) {
    if (count <= at) {
      return;
    }
    int size = size();
    byte[] larger = new byte[Math.max(bytes.length * 2, Math.addExact(size, count))];
    System.arraycopy(bytes, at, larger, larger.length - size, size);
    bytes = larger;
    at = larger.length - size;
  }

  void raw(byte[] value) {
    reserve(value.length);
    at -= value.length;
    System.arraycopy(value, 0, bytes, at, value.length);
  }

  void varint(long value) {
    reserve(VARINT_BYTES_MAX);
    int length = (Long.SIZE - Long.numberOfLeadingZeros(value | 1) + 6) / 7;
    at -= length;
    long rest = value;
    for (int i = 0; i < length - 1; i++) {
      bytes[at + i] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at + length - 1] = (byte) rest;
  }

  void fixed64(long value) {
    reserve(Long.BYTES);
    at -= Long.BYTES;
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[at + i] = (byte) (value >>> (8 * i));
    }
  }

  /** Text and its length. */
  void string(String text) {
    block(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Bytes and their length. */
  void block(byte[] value) {
    raw(value);
    varint(value.length);
  }

  void tag(int number, int wireType) {
    varint((long) number << 3 | wireType);
  }

  /** Puts before what was written since the mark that it is a message, or text, of a field. */
  void close(int number, int mark) {
    varint(size() - mark);
    tag(number, Wire.LENGTH);
  }
}
