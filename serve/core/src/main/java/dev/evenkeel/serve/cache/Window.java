package dev.evenkeel.serve.cache;

import dev.evenkeel.kernel.tree.SortedTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The latest changes of a kind, and its states after each batch of them.
 *
 * <p><b>Invariants:</b> changes are in order of revision; all changes after {@link #floor} are
 * here. It never holds more than its limits say, whatever the age of what it holds.
 *
 * <p><b>Threading:</b> owned by the cache's loop.
 */
final class Window {

  private final CacheLimits limits;
  private final ArrayDeque<CacheChange> changes = new ArrayDeque<>();
  private final ArrayDeque<State> states = new ArrayDeque<>();
  private long floor;
  private boolean floorIsShared;
  private long bytes;

  /** A state that held from one revision up to another. */
  private record State(long from, long through, SortedTree<CachedObject> tree) {}

  /**
   * @param floor changes up to it are not known
   */
  Window(CacheLimits limits, long floor) {
    this.limits = limits;
    this.floor = floor;
  }

  /** A watch that has seen less than this cannot go on. */
  long floor() {
    return floor;
  }

  /** Whether several changes were made at the floor: who stands there may not have seen all. */
  boolean floorIsShared() {
    return floorIsShared;
  }

  int size() {
    return changes.size();
  }

  long bytes() {
    return bytes;
  }

  void add(CacheChange change) {
    changes.add(change);
    bytes += change.memoryBytes();
  }

  /** Remembers that the tree was the state from one revision through another. */
  void remember(long from, long through, SortedTree<CachedObject> tree) {
    if (through < from) {
      return;
    }
    states.add(new State(from, through, tree));
    if (states.size() > limits.snapshotsMax()) {
      var _ = states.poll();
    }
  }

  @Nullable SortedTree<CachedObject> stateAt(long revision) {
    for (var newestFirst = states.descendingIterator(); newestFirst.hasNext(); ) {
      State state = newestFirst.next();
      if (state.through < revision) {
        return null;
      }
      if (state.from <= revision) {
        return state.tree;
      }
    }
    return null;
  }

  /** The changes of a revision and those after it, oldest first. */
  List<CacheChange> from(long revision) {
    List<CacheChange> newestFirst = new ArrayList<>();
    for (var iterator = changes.descendingIterator(); iterator.hasNext(); ) {
      CacheChange change = iterator.next();
      if (change.revision() < revision) {
        break;
      }
      newestFirst.add(change);
    }
    return newestFirst.reversed();
  }

  /** Lets go of what is too much or too old. Returns whether the floor rose. */
  boolean trim(long nowNanos) {
    long before = floor;
    CacheChange first;
    while ((first = changes.peekFirst()) != null && (isTooMuch() || isTooOld(first, nowNanos))) {
      // A transaction's changes leave together: a watch starts between revisions, not within one.
      long revision = first.revision();
      int left = 0;
      while ((first = changes.peekFirst()) != null && first.revision() == revision) {
        var _ = changes.poll();
        bytes -= first.memoryBytes();
        left++;
      }
      floor = revision;
      floorIsShared = left > 1;
    }
    State oldest;
    while ((oldest = states.peekFirst()) != null && oldest.through < floor) {
      var _ = states.poll();
    }
    return floor > before;
  }

  private boolean isTooMuch() {
    return changes.size() > limits.windowEventsMax() || bytes > limits.windowBytesMax();
  }

  private boolean isTooOld(CacheChange first, long nowNanos) {
    return changes.size() > limits.windowEventsMin()
        && nowNanos - first.atNanos() > limits.windowAge().toNanos();
  }
}
