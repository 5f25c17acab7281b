package dev.evenkeel.serve.cel.value;

/** An unsigned number of 64 bits. */
public record Uint(long bits) {

  @Override
  public String toString() {
    return Long.toUnsignedString(bits);
  }
}
