package dev.evenkeel.observe.feed;

import dev.evenkeel.observe.object.Cached;
import java.util.List;

/** Is told what a feed sees, on the feed's loop, in order. */
public interface FeedListener<T> {

  /**
   * The whole state at a version, in place of all that was told before.
   *
   * @param objects in the order of their keys, each key once
   */
  void replaced(List<Cached<T>> objects, long version);

  /** An object is there in this state; whether it was there before is not said. */
  void changed(Cached<T> object);

  /** An object is gone; this is its last state, with the version of its deletion. */
  void deleted(Cached<T> last);

  /** All changes up to this version have been told. */
  void reached(long version);
}
