package dev.evenkeel.serve.describe;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * A finished document, kept compressed: that is a twentieth of its size, and what nearly every
 * client takes.
 *
 * @param hash of the hashes of its chunks
 */
@SuppressWarnings("ArrayRecordComponent")
record Document(String hash, byte[] compressed) {

  /** RFC 1952: deflate, no name, no time, no system. */
  private static final byte[] HEAD = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  /** A block with nothing in it that says that it is the last. */
  private static final byte[] LAST_BLOCK = {3, 0};

  private static final int TAIL_BYTES = 8;

  /** Of CRC-32. */
  private static final int POLYNOMIAL = 0xedb88320;

  private static final int ONE = 1 << 31;

  static Document of(List<Chunk> chunks) {
    int size = HEAD.length + LAST_BLOCK.length + TAIL_BYTES;
    for (Chunk chunk : chunks) {
      size += chunk.deflated().length;
    }
    var out = new ByteArrayOutputStream(size);
    out.writeBytes(HEAD);
    MessageDigest hash = Chunk.sha256();
    int checksum = 0;
    long length = 0;
    for (Chunk chunk : chunks) {
      out.writeBytes(chunk.deflated());
      hash.update(chunk.hash());
      checksum = joined(checksum, chunk.checksum(), chunk.length());
      length += chunk.length();
    }
    out.writeBytes(LAST_BLOCK);
    for (int value : new int[] {checksum, (int) length}) {
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        out.write(value >>> shift);
      }
    }
    return new Document(HexFormat.of().withUpperCase().formatHex(hash.digest()), out.toByteArray());
  }

  /**
   * The checksum of two stretches in a row, from those of each.
   *
   * @param secondLength how many bytes the second was taken of
   */
  /*
   * CRC-32 is a remainder of polynomials over two values, with the lowest power in the highest bit.
   * To put bytes behind a stretch multiplies it by x to the power of their number of bits; the
   * checksum of those bytes is then added.
   */
  private static int joined(int first, int second, long secondLength) {
    int shift = ONE;
    int power = ONE >>> Byte.SIZE;
    for (long left = secondLength; left > 0; left >>>= 1) {
      if ((left & 1) != 0) {
        shift = product(shift, power);
      }
      power = product(power, power);
    }
    return product(first, shift) ^ second;
  }

  private static int product(int a, int b) {
    int sum = 0;
    int shifted = b;
    for (int bit = ONE; bit != 0; bit >>>= 1) {
      if ((a & bit) != 0) {
        sum ^= shifted;
      }
      shifted = (shifted & 1) == 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
    }
    return sum;
  }

  byte[] bytes() {
    try (var in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
