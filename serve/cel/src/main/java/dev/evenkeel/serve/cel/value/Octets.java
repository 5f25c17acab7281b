package dev.evenkeel.serve.cel.value;

import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A value of type {@code bytes}. The array is never changed. */
public final class Octets {

  private final byte[] bytes;

  public Octets(byte[] bytes) {
    this.bytes = bytes;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int size() {
    return bytes.length;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Octets octets && Arrays.equals(bytes, octets.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
