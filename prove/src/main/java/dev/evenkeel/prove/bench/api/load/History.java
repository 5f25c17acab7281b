package dev.evenkeel.prove.bench.api.load;

import java.util.Arrays;

/**
 * A sequence of versions, in one number and a count: two histories that agree in both had the same
 * versions in the same order.
 *
 * <p>Threading: owned by whoever appends.
 */
final class History {

  private long count;
  private long last;
  private long hash;
  private long disorders;

  /** Appends what should be a higher version than the last. */
  void append(long version) {
    if (version <= last) {
      disorders++;
    }
    last = version;
    count++;
    // Order matters to it: each step multiplies all that came before.
    hash = (hash + version) * 0x9E3779B97F4A7C15L;
    hash ^= hash >>> 29;
  }

  static History of(long[] versions) {
    long[] sorted = versions.clone();
    Arrays.sort(sorted);
    var history = new History();
    for (long version : sorted) {
      history.append(version);
    }
    return history;
  }

  long count() {
    return count;
  }

  long last() {
    return last;
  }

  /** How often a version was not above the one before it. */
  long disorders() {
    return disorders;
  }

  boolean sameAs(History other) {
    return count == other.count && hash == other.hash;
  }
}
