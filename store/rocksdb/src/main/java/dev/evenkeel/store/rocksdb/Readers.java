package dev.evenkeel.store.rocksdb;

import dev.evenkeel.store.StoreException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts who is inside native code, so that nobody is when its memory is freed.
 *
 * <p>A reader counts itself in before it looks whether the door is shut; the one who shuts it does
 * so before looking at the count. One of the two sees the other. A striped counter keeps readers on
 * different cores apart.
 *
 * <p><b>Threading.</b> Any thread.
 */
final class Readers {

  private final LongAdder entered = new LongAdder();
  private final LongAdder left = new LongAdder();
  private volatile boolean shut;

  void enter() {
    entered.increment();
    if (shut) {
      left.increment();
      throw new StoreException.Closed("the store is closed");
    }
  }

  void exit() {
    left.increment();
  }

  /** Lets no one in any more and waits until everyone has left; false if it was shut already. */
  synchronized boolean shut() {
    if (shut) {
      return false;
    }
    shut = true;
    while (left.sum() != entered.sum()) {
      Thread.onSpinWait();
    }
    return true;
  }
}
