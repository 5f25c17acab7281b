package dev.evenkeel.observe.cache;

import dev.evenkeel.observe.object.Cached;
import org.jspecify.annotations.Nullable;

/**
 * One change of a cache.
 *
 * <p>{@link #version} is that of the snapshot that shows it. {@link #throughRelist} says that it
 * was found by comparing two whole states: what happened in between is not known.
 */
public sealed interface Change<T> {

  long version();

  boolean throughRelist();

  /** The state before, null if it was not there; of a deleted object the last that is known. */
  @Nullable Cached<T> before();

  /** The state now, null if it is gone. */
  @Nullable Cached<T> after();

  /** Before if there is no after: never null. */
  Cached<T> newest();

  /** An object is new. */
  record Added<T>(Cached<T> after, long version, boolean throughRelist) implements Change<T> {
    @Override
    public @Nullable Cached<T> before() {
      return null;
    }

    @Override
    public Cached<T> newest() {
      return after;
    }
  }

  /** An object is in another state. */
  record Modified<T>(Cached<T> before, Cached<T> after, long version, boolean throughRelist)
      implements Change<T> {
    @Override
    public Cached<T> newest() {
      return after;
    }
  }

  /**
   * An object is gone, or out of the scope.
   *
   * @param before its last state: the one it was deleted in, or, found through a relist, the last
   *     that was seen
   */
  record Deleted<T>(Cached<T> before, long version, boolean throughRelist) implements Change<T> {
    @Override
    public @Nullable Cached<T> after() {
      return null;
    }

    @Override
    public Cached<T> newest() {
      return before;
    }
  }
}
