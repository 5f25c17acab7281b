package dev.evenkeel.decide.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Which ready key is next.
 *
 * <p><b>Invariants.</b> The highest priority goes first; within it namespaces take turns, and
 * within a namespace the key that came first. But of every {@code agedEvery} takes one goes by age:
 * namespaces take turns at these as well, and the namespace's oldest key goes, whatever its
 * priority. Hence, with N namespaces that have ready keys:
 *
 * <ul>
 *   <li>a key with {@code a} older ones in its namespace is taken within {@code agedEvery × N × (a
 *       + 1)} takes, however many keys of whatever priority come after it;
 *   <li>a namespace's first key, if none has a higher priority, is taken within {@code N + N /
 *       (agedEvery - 1) + 1} takes, however many keys the others have.
 * </ul>
 *
 * <p>A key keeps its age when its priority rises, so that a rise never makes the first bound worse.
 *
 * <p><b>Threading:</b> its owner's.
 */
final class ReadyOrder {

  /*
   * Every key is in two lists: the lane of its namespace, by age, and the line of its namespace and
   * priority. Lanes are in a ring of turns, and so are the lines of each priority. All of them are
   * chains, so every step takes constant time.
   */

  /** A namespace with ready keys. */
  private static final class Lane extends Chain.Link<Lane> {
    final Chain<Slot> byAge = new Chain<>();
    final @Nullable Line[] lines = new @Nullable Line[Priority.LEVELS];

    Line line(Priority priority) {
      Line line = lines[priority.level];
      if (line == null) {
        line = new Line();
        lines[priority.level] = line;
      }
      return line;
    }
  }

  /**
   * The ready keys of a namespace and priority. Their chain is a second one, so it is done here.
   */
  private static final class Line extends Chain.Link<Line> {
    @Nullable Slot first;
    @Nullable Slot last;

    void addLast(Slot slot) {
      slot.previousInLine = last;
      slot.nextInLine = null;
      if (last == null) {
        first = slot;
      } else {
        last.nextInLine = slot;
      }
      last = slot;
    }

    void remove(Slot slot) {
      Slot before = slot.previousInLine;
      Slot after = slot.nextInLine;
      if (before == null) {
        first = after;
      } else {
        before.nextInLine = after;
      }
      if (after == null) {
        last = before;
      } else {
        after.previousInLine = before;
      }
      slot.previousInLine = null;
      slot.nextInLine = null;
    }
  }

  private final int agedEvery;
  private final Map<String, Lane> lanes = new HashMap<>();
  private final Chain<Lane> lanesInTurn = new Chain<>();
  private final List<Chain<Line>> linesInTurn = new ArrayList<>();
  private final int[] sizes = new int[Priority.LEVELS];
  private int size;
  private int sinceAged;

  ReadyOrder(int agedEvery) {
    this.agedEvery = agedEvery;
    for (int i = 0; i < Priority.LEVELS; i++) {
      linesInTurn.add(new Chain<>());
    }
  }

  int size() {
    return size;
  }

  int size(Priority priority) {
    return sizes[priority.level];
  }

  void add(Slot slot) {
    Lane lane = lanes.get(slot.key.namespace());
    if (lane == null) {
      lane = new Lane();
      lanes.put(slot.key.namespace(), lane);
      lanesInTurn.addLast(lane);
    }
    lane.byAge.addLast(slot);
    lineUp(lane, slot);
    size++;
  }

  /** Gives a key that is here a higher priority. */
  void raise(Slot slot, Priority priority) {
    Lane lane = lane(slot);
    leaveLine(lane, slot);
    slot.priority = priority;
    lineUp(lane, slot);
  }

  /** Takes out the next one, or null if there is none. */
  @Nullable Slot next() {
    if (size == 0) {
      return null;
    }
    sinceAged++;
    if (sinceAged >= agedEvery) {
      sinceAged = 0;
      return nextByAge();
    }
    return nextByPriority();
  }

  private Slot nextByAge() {
    Lane lane = Objects.requireNonNull(lanesInTurn.first());
    Slot slot = Objects.requireNonNull(lane.byAge.first());
    lanesInTurn.moveLast(lane);
    remove(lane, slot);
    return slot;
  }

  private Slot nextByPriority() {
    int level = Priority.LEVELS - 1;
    while (linesInTurn.get(level).isEmpty()) {
      level--;
    }
    Line line = Objects.requireNonNull(linesInTurn.get(level).first());
    Slot slot = Objects.requireNonNull(line.first);
    linesInTurn.get(level).moveLast(line);
    remove(lane(slot), slot);
    return slot;
  }

  private void remove(Lane lane, Slot slot) {
    leaveLine(lane, slot);
    lane.byAge.remove(slot);
    if (lane.byAge.isEmpty()) {
      lanesInTurn.remove(lane);
      lanes.remove(slot.key.namespace());
    }
    size--;
  }

  private void lineUp(Lane lane, Slot slot) {
    Line line = lane.line(slot.priority);
    if (line.first == null) {
      linesInTurn.get(slot.priority.level).addLast(line);
    }
    line.addLast(slot);
    sizes[slot.priority.level]++;
  }

  private void leaveLine(Lane lane, Slot slot) {
    Line line = lane.line(slot.priority);
    line.remove(slot);
    if (line.first == null) {
      linesInTurn.get(slot.priority.level).remove(line);
    }
    sizes[slot.priority.level]--;
  }

  private Lane lane(Slot slot) {
    return Objects.requireNonNull(lanes.get(slot.key.namespace()));
  }

  /** The keys that have been ready longest, of all namespaces. */
  List<Slot> oldest(int max) {
    var found = new ArrayList<Slot>();
    var candidates = new PriorityQueue<Slot>((a, b) -> Long.compare(a.since, b.since));
    for (Lane lane = lanesInTurn.first(); lane != null; lane = lane.next) {
      candidates.add(Objects.requireNonNull(lane.byAge.first()));
    }
    while (found.size() < max) {
      Slot slot = candidates.poll();
      if (slot == null) {
        break;
      }
      found.add(slot);
      if (slot.next != null) {
        candidates.add(slot.next);
      }
    }
    return found;
  }
}
