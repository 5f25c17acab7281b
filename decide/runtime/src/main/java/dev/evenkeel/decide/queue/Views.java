package dev.evenkeel.decide.queue;

import dev.evenkeel.kernel.env.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queue as people see it, at one moment; costs what is shown, not what is there. */
final class Views {

  private final long now;
  private final Instant instant;
  private final Breakers breakers;

  Views(Clock clock, long now, Breakers breakers) {
    this.now = now;
    this.instant = clock.now();
    this.breakers = breakers;
  }

  List<Entry> entries(int max, Chain<Slot> working, ReadyOrder ready, Timers timers) {
    var entries = new ArrayList<Entry>();
    add(entries, working, max);
    for (Slot slot : ready.oldest(max - entries.size())) {
      entries.add(entry(slot));
    }
    for (Slot slot : timers.soonest(max - entries.size())) {
      entries.add(entry(slot));
    }
    for (Breaker breaker : breakers.others()) {
      add(entries, breaker.held, max);
    }
    return entries;
  }

  private void add(List<Entry> entries, Chain<Slot> slots, int max) {
    for (Slot slot = slots.first(); slot != null && entries.size() < max; slot = slot.next) {
      entries.add(entry(slot));
    }
  }

  private Entry entry(Slot slot) {
    Slot.Work work = slot.work;
    Item item = work == null ? null : work.item();
    Breaker breaker = slot.breaker;
    boolean gated = slot.state == Entry.State.READY && breakers.server.isOpen();
    return new Entry(
        slot.key,
        gated ? Entry.State.HELD : slot.state,
        item == null ? slot.priority : item.priority(),
        item == null ? slot.wakes() : item.wakes(),
        item == null ? slot.adds : item.adds(),
        slot.attempts,
        Duration.ofNanos(now - (work == null ? slot.since : work.since())),
        nextTime(slot, gated),
        item != null && slot.wake != null,
        gated ? WorkQueue.SERVER : breaker == null ? null : breaker.dependency);
  }

  private @Nullable Instant nextTime(Slot slot, boolean gated) {
    if (gated) {
      return at(breakers.server.nextProbe());
    }
    return switch (slot.state) {
      case READY -> null;
      case WORKING -> slot.wake == null ? null : at(slot.due);
      case DELAYED, BACKOFF -> at(slot.due);
      case HELD -> slot.breaker == null ? null : at(slot.breaker.nextProbe());
    };
  }

  private Instant at(long time) {
    return instant.plusNanos(time - now);
  }

  QueueFigures figures(
      String name,
      WorkQueue.Counts counts,
      boolean overflowed,
      boolean draining,
      Chain<Slot> working,
      ReadyOrder ready,
      Timers timers) {
    boolean gated = breakers.server.isOpen();
    var depths = new EnumMap<Entry.State, Integer>(Entry.State.class);
    depths.put(Entry.State.READY, gated ? 0 : ready.size());
    depths.put(Entry.State.WORKING, working.size());
    depths.put(Entry.State.BACKOFF, timers.inBackoff());
    depths.put(Entry.State.DELAYED, timers.size() - timers.inBackoff());
    depths.put(Entry.State.HELD, breakers.held() + (gated ? ready.size() : 0));
    var byPriority = new EnumMap<Priority, Integer>(Priority.class);
    for (Priority priority : Priority.values()) {
      byPriority.put(priority, ready.size(priority));
    }
    List<Slot> oldest = ready.oldest(1);
    long worked = 0;
    long longest = 0;
    for (Slot slot = working.first(); slot != null; slot = slot.next) {
      Slot.Work work = slot.work;
      long nanos = work == null ? 0 : now - work.since();
      worked += nanos;
      longest = Math.max(longest, nanos);
    }
    return new QueueFigures(
        name,
        depths,
        byPriority,
        oldest.isEmpty() ? Duration.ZERO : Duration.ofNanos(now - oldest.getFirst().since),
        Duration.ofNanos(worked),
        Duration.ofNanos(longest),
        counts.adds,
        counts.merged,
        counts.takes,
        counts.failures,
        counts.refused,
        overflowed,
        draining,
        open(ready));
  }

  private List<QueueFigures.OpenBreaker> open(ReadyOrder ready) {
    var open = new ArrayList<QueueFigures.OpenBreaker>();
    if (breakers.server.isOpen()) {
      open.add(open(breakers.server, ready.size()));
    }
    for (Breaker breaker : breakers.others()) {
      if (breaker.isOpen()) {
        open.add(open(breaker, breaker.held.size()));
      }
    }
    return open;
  }

  private QueueFigures.OpenBreaker open(Breaker breaker, int held) {
    return new QueueFigures.OpenBreaker(
        breaker.dependency, held, breaker.openings(), at(breaker.nextProbe()));
  }
}
