package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.kernel.json.JsonException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads protobuf's values off an array of bytes.
 *
 * <p>Invariants: never reads at or beyond the end it is given; that end never exceeds the array.
 * Threading: one thread.
 */
final class WireReader {

  /** Groups are not in use; a body that nests them to be skipped is not worth much. */
  private static final int GROUPS_MAX = 16;

  private static final int VARINT_BITS_MAX = 64;

  private final byte[] bytes;
  private int at;

  WireReader(byte[] bytes, int at) {
    this.bytes = bytes;
    this.at = at;
  }

  int at() {
    return at;
  }

  static JsonException malformed(String why) {
    return new JsonException("malformed protobuf: " + why);
  }

  private static JsonException truncated() {
    return malformed("it ends within a value");
  }

  /** Number and wire type of the field that follows. */
  int tag(int end) {
    if (at < end && bytes[at] >= 0) {
      int small = bytes[at++];
      if (small < 8) {
        throw malformed("a field has the number 0");
      }
      return small;
    }
    long tag = varint(end);
    if (tag >>> 3 == 0 || tag >>> 3 > (1 << 29) - 1) {
      throw malformed("a field has an impossible number");
    }
    return (int) tag;
  }

  long varint(int end) {
    if (at < end && bytes[at] >= 0) {
      return bytes[at++];
    }
    long value = 0;
    for (int shift = 0; shift < VARINT_BITS_MAX; shift += 7) {
      if (at >= end) {
        throw truncated();
      }
      byte next = bytes[at++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw malformed("a number has too many bytes");
  }

  long fixed64(int end) {
    if (end - at < Long.BYTES) {
      throw truncated();
    }
    long value = 0;
    for (int i = Long.BYTES - 1; i >= 0; i--) {
      value = value << 8 | (bytes[at + i] & 0xff);
    }
    at += Long.BYTES;
    return value;
  }

  /** Reads a length and returns where what it measures ends. */
  int end(int end) {
    long length = varint(end);
    if (length < 0 || length > end - at) {
      throw truncated();
    }
    return at + (int) length;
  }

  /** Reads a length and that many bytes of UTF-8. */
  String string(int end) {
    int to = end(end);
    String text = new String(bytes, at, to - at, StandardCharsets.UTF_8);
    if (text.indexOf('\uFFFD') >= 0) {
      checkUtf8(at, to);
    }
    at = to;
    return text;
  }

  /** The platform's own conversion replaces what it cannot read; here that is an error. */
  private void checkUtf8(int from, int to) {
    try {
      var _ = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from));
    } catch (CharacterCodingException e) {
      throw malformed("a string is not UTF-8");
    }
  }

  /** Reads a length and that many bytes. */
  byte[] bytes(int end) {
    int to = end(end);
    byte[] copy = Arrays.copyOfRange(bytes, at, to);
    at = to;
    return copy;
  }

  void expect(int tag, int wireType) {
    if ((tag & 7) != wireType) {
      throw malformed("field " + (tag >>> 3) + " is written as another type");
    }
  }

  /** Passes over a value that nobody knows. */
  void skip(int tag, int end) {
    skip(tag, end, 0);
  }

  private void skip(int tag, int end, int groups) {
    switch (tag & 7) {
      case Wire.VARINT -> {
        var _ = varint(end);
      }
      case Wire.FIXED64 -> forward(Long.BYTES, end);
      case Wire.LENGTH -> at = end(end);
      case Wire.FIXED32 -> forward(Integer.BYTES, end);
      case Wire.GROUP -> {
        if (groups == GROUPS_MAX) {
          throw malformed("it nests too deep");
        }
        int inner;
        while (((inner = tag(end)) & 7) != Wire.GROUP_END) {
          skip(inner, end, groups + 1);
        }
      }
      default -> throw malformed("a field is written in no known way");
    }
  }

  /** Goes on from there, which must be where something read ended. */
  void skipTo(int position) {
    at = position;
  }

  private void forward(int count, int end) {
    if (end - at < count) {
      throw truncated();
    }
    at += count;
  }
}
