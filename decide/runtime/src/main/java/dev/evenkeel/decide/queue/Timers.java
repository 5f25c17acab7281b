package dev.evenkeel.decide.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Keys that wait for a time: a binary heap whose elements know their place, so that one can leave
 * or come forward in logarithmic time.
 *
 * <p><b>Invariants.</b> Soonest first; of the same time, the one that came first.
 *
 * <p><b>Threading:</b> its owner's.
 */
final class Timers {

  private final List<Slot> heap = new ArrayList<>();
  private long order;
  private int inBackoff;

  int size() {
    return heap.size();
  }

  int inBackoff() {
    return inBackoff;
  }

  @Nullable Slot first() {
    return heap.isEmpty() ? null : heap.getFirst();
  }

  void add(Slot slot) {
    slot.timerOrder = order++;
    inBackoff += slot.state == Entry.State.BACKOFF ? 1 : 0;
    heap.add(slot);
    rise(slot, heap.size() - 1);
  }

  void remove(Slot slot) {
    int hole = slot.timerIndex;
    inBackoff -= slot.state == Entry.State.BACKOFF ? 1 : 0;
    Slot last = heap.removeLast();
    if (last != slot) {
      rise(last, hole);
      sink(last, last.timerIndex);
    }
  }

  void clear() {
    heap.clear();
    inBackoff = 0;
  }

  /** The soonest, in order, without a look at the rest. */
  List<Slot> soonest(int max) {
    var found = new ArrayList<Slot>();
    var candidates = new PriorityQueue<Slot>((a, b) -> a == b ? 0 : isBefore(a, b) ? -1 : 1);
    if (!heap.isEmpty()) {
      candidates.add(heap.getFirst());
    }
    while (found.size() < max) {
      Slot slot = candidates.poll();
      if (slot == null) {
        break;
      }
      found.add(slot);
      int child = 2 * slot.timerIndex + 1;
      for (int i = child; i < Math.min(child + 2, heap.size()); i++) {
        candidates.add(heap.get(i));
      }
    }
    return found;
  }

  private static boolean isBefore(Slot a, Slot b) {
    return a.due < b.due || (a.due == b.due && a.timerOrder < b.timerOrder);
  }

  private void rise(Slot slot, int from) {
    int place = from;
    while (place > 0) {
      Slot parent = heap.get((place - 1) / 2);
      if (!isBefore(slot, parent)) {
        break;
      }
      put(parent, place);
      place = (place - 1) / 2;
    }
    put(slot, place);
  }

  private void sink(Slot slot, int from) {
    int place = from;
    while (true) {
      int child = 2 * place + 1;
      if (child >= heap.size()) {
        break;
      }
      if (child + 1 < heap.size() && isBefore(heap.get(child + 1), heap.get(child))) {
        child++;
      }
      if (!isBefore(heap.get(child), slot)) {
        break;
      }
      put(heap.get(child), place);
      place = child;
    }
    put(slot, place);
  }

  private void put(Slot slot, int place) {
    heap.set(place, slot);
    slot.timerIndex = place;
  }
}
