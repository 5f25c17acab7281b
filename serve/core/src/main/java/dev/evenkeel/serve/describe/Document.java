package dev.evenkeel.serve.describe;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A finished document, kept compressed: that is a twentieth of its size, and what nearly every
 * client takes.
 *
 * @param hash of the bytes before they were compressed
 */
@SuppressWarnings("ArrayRecordComponent")
record Document(String hash, byte[] compressed) {

  static Document of(byte[] bytes) {
    try {
      var compressed = new ByteArrayOutputStream(bytes.length / 16 + 64);
      try (var gzip = new GZIPOutputStream(compressed)) {
        gzip.write(bytes);
      }
      return new Document(hash(bytes), compressed.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  byte[] bytes() {
    try (var in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(byte[] bytes) {
    try {
      return HexFormat.of()
          .withUpperCase()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
