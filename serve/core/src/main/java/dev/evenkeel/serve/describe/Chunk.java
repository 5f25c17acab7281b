package dev.evenkeel.serve.describe;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * A stretch of a document, compressed on its own, so that a document is put together from stretches
 * without any of them being unpacked.
 *
 * @param deflated whole blocks of deflate that refer to nothing before them and end with a byte
 * @param hash of the bytes before they were compressed
 * @param checksum gzip's, of the same
 * @param length of the same
 */
@SuppressWarnings("ArrayRecordComponent") // put together, never compared
record Chunk(byte[] deflated, byte[] hash, int checksum, long length) {

  /** What a block that is not compressed has at most. */
  private static final int LITERAL_BYTES_MAX = 0xffff;

  private static final int BUFFER_BYTES = 1 << 13;

  static Chunk of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A few bytes, as they are. */
  static Chunk of(byte[] bytes) {
    if (bytes.length > LITERAL_BYTES_MAX) {
      throw new IllegalArgumentException(bytes.length + " bytes are too many for one block");
    }
    var block = new ByteArrayOutputStream(bytes.length + 5);
    block.write(0);
    for (int value : new int[] {bytes.length, ~bytes.length}) {
      block.write(value);
      block.write(value >>> Byte.SIZE);
    }
    block.writeBytes(bytes);
    var checksum = new CRC32();
    checksum.update(bytes);
    return new Chunk(
        block.toByteArray(), sha256().digest(bytes), (int) checksum.getValue(), bytes.length);
  }

  /** Pieces in a row. */
  static Chunk of(Collection<byte[]> pieces, String between) {
    byte[] separator = between.getBytes(StandardCharsets.UTF_8);
    var out = new ByteArrayOutputStream(BUFFER_BYTES);
    var checksum = new CRC32();
    MessageDigest hash = sha256();
    long length = 0;
    try (var deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
      var deflating = new DeflaterOutputStream(out, deflater, BUFFER_BYTES, true);
      for (byte[] piece : pieces) {
        for (byte[] bytes : length == 0 ? new byte[][] {piece} : new byte[][] {separator, piece}) {
          deflating.write(bytes);
          checksum.update(bytes);
          hash.update(bytes);
          length += bytes.length;
        }
      }
      // Not closed: that would end the document.
      deflating.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Chunk(out.toByteArray(), hash.digest(), (int) checksum.getValue(), length);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
