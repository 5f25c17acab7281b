package dev.evenkeel.serve.caller;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Stands for a token where one is remembered or looked up. The time that a look-up takes then tells
 * nothing about how much of a token was right, and what is remembered is of no use to anybody.
 */
public final class TokenDigest {

  private final byte[] bytes;

  private TokenDigest(byte[] bytes) {
    this.bytes = bytes;
  }

  public static TokenDigest of(String token) {
    try {
      return new TokenDigest(
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TokenDigest digest && MessageDigest.isEqual(bytes, digest.bytes);
  }

  @Override
  public int hashCode() {
    return ByteBuffer.wrap(bytes).getInt();
  }

  @Override
  public String toString() {
    return "TokenDigest";
  }
}
