package dev.evenkeel.serve.http.lane;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that can go on, put in from any thread without an allocation and taken out all at once.
 *
 * <p><b>Invariants.</b> A task is in it at most once, and in no other at the same time: whoever
 * puts it in has claimed it.
 *
 * <p><b>Threading.</b> Any thread puts in; the lane's event loop takes out.
 */
final class ReadyTasks {

  private final AtomicReference<@Nullable LaneTask> newest = new AtomicReference<>();

  /** Puts a claimed task in. Returns whether it is the first since the last {@link #take}. */
  boolean add(LaneTask task) {
    LaneTask previous;
    do {
      previous = newest.get();
      task.next = previous;
    } while (!newest.compareAndSet(previous, task));
    return previous == null;
  }

  boolean isEmpty() {
    return newest.get() == null;
  }

  /** All there are, chained in the order in which they came; null if there is none. */
  @Nullable LaneTask take() {
    LaneTask last = newest.getAndSet(null);
    LaneTask first = null;
    while (last != null) {
      LaneTask previous = last.next;
      last.next = first;
      first = last;
      last = previous;
    }
    return first;
  }
}
