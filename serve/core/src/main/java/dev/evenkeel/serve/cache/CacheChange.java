package dev.evenkeel.serve.cache;

import org.jspecify.annotations.Nullable;

/**
 * One object's change, in the log of its kind.
 *
 * @param previous null if it was created
 * @param current null if it was deleted
 * @param atNanos when the cache learned of it
 */
record CacheChange(
    long revision, @Nullable CachedObject previous, @Nullable CachedObject current, long atNanos) {

  CachedObject any() {
    if (current != null) {
      return current;
    }
    if (previous == null) {
      throw new IllegalStateException("a change from nothing to nothing");
    }
    return previous;
  }

  /** What the window holds because of it. */
  int memoryBytes() {
    return 64 + any().memoryBytes();
  }
}
