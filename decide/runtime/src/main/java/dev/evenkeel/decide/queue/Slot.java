package dev.evenkeel.decide.queue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the queue keeps for a key. A queue may hold a million, so it is one flat object that is a
 * link of every list it can be in.
 *
 * <p>While a worker has the key, what is kept here (wake-ups, priority, due time) is about the next
 * time; the item has what it was taken with.
 *
 * <p><b>Threading:</b> its queue's.
 */
final class Slot extends Chain.Link<Slot> {

  final Key key;
  Entry.State state = Entry.State.READY;
  Priority priority;

  /** The first reason; null if there is none, which is when it is worked on and not added again. */
  @Nullable Wake wake;

  private @Nullable List<Wake> moreWakes;
  int adds;
  int attempts;

  /** When it came into its state; for a key that is worked on, when it was added again. */
  long since;

  /** For how long the server's breaker had been open then. */
  long gatedBefore;

  long due;
  long timerOrder;
  int timerIndex;
  @Nullable Slot previousInLine;
  @Nullable Slot nextInLine;
  private Segments waited = Segments.NONE;

  /** What it was last found to need that was overloaded, other than the server. */
  @Nullable Breaker breaker;

  boolean probesBreaker;
  boolean probesServer;

  /** Who works on it: what the worker has, and since when. */
  @Nullable Work work;

  record Work(Item item, long since) {}

  Slot(Key key, Priority priority) {
    this.key = key;
    this.priority = priority;
  }

  void merge(Wake reason, int wakesMax) {
    adds = adds == Integer.MAX_VALUE ? adds : adds + 1;
    if (wake == null) {
      wake = reason;
    } else if (!wake.equals(reason)) {
      if (moreWakes == null) {
        moreWakes = new ArrayList<>(1);
      }
      if (moreWakes.size() + 1 < wakesMax && !moreWakes.contains(reason)) {
        moreWakes.add(reason);
      }
    }
  }

  /** It is woken before its time, and its next look says anew when to look again. */
  void forgetTimers() {
    List<Wake> others = new ArrayList<>(wakes());
    others.removeIf(each -> each.kind() == Wake.Kind.TIMER);
    wake = others.isEmpty() ? null : others.removeFirst();
    moreWakes = others.isEmpty() ? null : others;
  }

  List<Wake> wakes() {
    if (wake == null) {
      return List.of();
    }
    if (moreWakes == null) {
      return List.of(wake);
    }
    var all = new ArrayList<Wake>(moreWakes.size() + 1);
    all.add(wake);
    all.addAll(moreWakes);
    return all;
  }

  /**
   * Counts the time in its state up to now, and starts anew.
   *
   * @param gated for how long the server's breaker has been open in all
   */
  void count(long now, long gated) {
    long passed = now - since;
    switch (state) {
      case READY -> {
        long gatedHere = gated - gatedBefore;
        waited = waited.plusReady(passed - gatedHere).plusGated(gatedHere);
      }
      case DELAYED -> waited = waited.plusDelayed(passed);
      case BACKOFF -> waited = waited.plusBackoff(passed);
      case HELD -> waited = waited.plusGated(passed);
      case WORKING -> {
        long busy = Math.max(0, now - Math.max(since, due));
        waited = waited.plusDelayed(passed - busy).plusBusy(busy);
      }
    }
    since = now;
    gatedBefore = gated;
  }

  /** Hands over why it was woken and how it waited, and forgets both. */
  Item take(long number, long now) {
    var taken = new Item(number, key, priority, wakes(), adds, attempts + 1, waited);
    work = new Work(taken, now);
    wake = null;
    moreWakes = null;
    adds = 0;
    waited = Segments.NONE;
    return taken;
  }
}
