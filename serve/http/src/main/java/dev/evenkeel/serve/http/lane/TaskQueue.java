package dev.evenkeel.serve.http.lane;

import org.jspecify.annotations.Nullable;

/**
 * Tasks of a lane in the order in which they came, chained by themselves.
 *
 * <p><b>Threading.</b> The lane's event loop.
 */
final class TaskQueue {

  private @Nullable LaneTask first;
  private @Nullable LaneTask last;

  /** Appends a chain of tasks, or nothing. */
  void append(@Nullable LaneTask tasks) {
    if (tasks == null) {
      return;
    }
    if (last == null) {
      first = tasks;
    } else {
      last.next = tasks;
    }
    LaneTask end = tasks;
    while (end.next != null) {
      end = end.next;
    }
    last = end;
  }

  boolean isEmpty() {
    return first == null;
  }

  /** Takes the first one out; null if there is none. */
  @Nullable LaneTask poll() {
    LaneTask task = first;
    if (task != null) {
      first = task.next;
      task.next = null;
      if (first == null) {
        last = null;
      }
    }
    return task;
  }
}
