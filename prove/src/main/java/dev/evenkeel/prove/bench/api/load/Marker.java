package dev.evenkeel.prove.bench.api.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds a fixed text in JSON without reading the JSON: it is looked for where it was found the last
 * time, then everywhere.
 *
 * <p>Threading: owned by one event loop.
 */
final class Marker {

  static final int NOT_FOUND = -1;

  private final byte[] text;
  private int usualOffset;

  Marker(String text) {
    this.text = text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The position behind the first occurrence, or {@link #NOT_FOUND}. */
  int after(byte[] bytes, int from, int to) {
    int usual = from + usualOffset;
    if (matches(bytes, usual, to)) {
      return usual + text.length;
    }
    for (int at = from; at <= to - text.length; at++) {
      if (bytes[at] == text[0] && matches(bytes, at, to)) {
        usualOffset = at - from;
        return at + text.length;
      }
    }
    return NOT_FOUND;
  }

  private boolean matches(byte[] bytes, int at, int to) {
    int end = at + text.length;
    return end <= to && Arrays.equals(bytes, at, end, text, 0, text.length);
  }

  /** The number behind the first occurrence, or {@link #NOT_FOUND}. */
  long number(byte[] bytes, int from, int to) {
    int at = after(bytes, from, to);
    if (at == NOT_FOUND) {
      return NOT_FOUND;
    }
    long value = 0;
    int start = at;
    while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
      value = 10 * value + bytes[at++] - '0';
    }
    // Cut off in the middle, it would be another number.
    return at == start || at == to ? NOT_FOUND : value;
  }
}
