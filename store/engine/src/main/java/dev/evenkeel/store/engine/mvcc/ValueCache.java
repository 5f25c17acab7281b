package dev.evenkeel.store.engine.mvcc;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.StoreException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Values of heads that are kept in memory, within a budget.
 *
 * <p>A clock: heads with a value stand in a queue; to make room the oldest is taken, and either
 * lets its value go or, if it was read since, goes to the end once more. The index already leads to
 * the head, so a hit costs one field and needs no map of its own, and a value can never be that of
 * another version. Only misses and writes touch the queue.
 *
 * <p>With no limit there is no clock: a journal that holds the values in memory anyway shares them.
 *
 * <p><b>Invariants.</b> {@code heldBytes} is the sum over the queue's entries. It exceeds the
 * budget only while an {@link #admit} is under way.
 *
 * <p><b>Threading.</b> Any thread.
 */
final class ValueCache {

  /** What a cached value costs beside its bytes: array header, wrapper, queue node. */
  private static final long OVERHEAD_BYTES = 56;

  private final Journal journal;
  private final long bytesMax;
  private final AtomicLong heldBytes = new AtomicLong();
  private final ConcurrentLinkedQueue<Head> clock = new ConcurrentLinkedQueue<>();

  ValueCache(Journal journal, long bytesMax) {
    this.journal = journal;
    this.bytesMax = bytesMax;
  }

  long heldBytes() {
    return heldBytes.get();
  }

  /** The value of a head that is not a deletion. */
  Bytes value(Bytes key, Head head) {
    Bytes cached = head.cached;
    if (cached != null) {
      if (!head.touched) {
        head.touched = true;
      }
      return cached;
    }
    KeyChange change = journal.find(head.modRevision(), head.position());
    if (change == null || change.value() == null || !change.key().equals(key)) {
      throw new StoreException.Corrupt(
          "the value of key "
              + key
              + " at revision "
              + head.modRevision()
              + " is not where the index says",
          null);
    }
    admit(head, change.value());
    return change.value();
  }

  void admit(Head head, Bytes value) {
    if (bytesMax == Long.MAX_VALUE) {
      head.cached = value; // for as long as the head itself lives
      return;
    }
    long cost = value.length() + OVERHEAD_BYTES;
    if (cost > bytesMax) {
      return;
    }
    head.cached = value;
    clock.add(head);
    if (heldBytes.addAndGet(cost) > bytesMax) {
      makeRoom();
    }
  }

  private void makeRoom() {
    // A second chance for each at the most, so that it ends even while readers touch everything.
    for (int chances = 64; heldBytes.get() > bytesMax; ) {
      Head oldest = clock.poll();
      if (oldest == null) {
        return;
      }
      if (oldest.touched && oldest.cached != null && chances > 0) {
        oldest.touched = false;
        chances--;
        clock.add(oldest);
        continue;
      }
      oldest.cached = null;
      heldBytes.addAndGet(-(oldest.valueLength() + OVERHEAD_BYTES));
    }
  }
}
