package dev.evenkeel.decide.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.invariant.Invariants;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one controller that want a look.
 *
 * <p>A key is in the queue once, however often it is added: its wake-ups merge into the earliest
 * time and the highest priority. One worker has it at a time; what is added meanwhile makes it
 * ready again when that worker is done. A key that failed comes back after a time that doubles and
 * is capped, for as long as it takes; a new wake-up brings it back sooner and does not make it
 * forget its failures, a success does.
 *
 * <p>Nothing here waits: {@link #take} gives null where there is nothing, {@link #untilNext} says
 * when that may change by itself, and {@link #onReady} tells when it changed by what others did.
 *
 * <p><b>Invariants.</b> A key is handed to one worker at a time. A wake-up that was taken in is
 * followed by a take that began after it, unless the queue is drained. How long a ready key can be
 * passed over is bounded: {@link ReadyOrder}. No more than {@code entriesMax} keys are held.
 *
 * <p><b>Threading:</b> any. Everything is under one lock, held for a few steps; the callbacks are
 * called outside of it, on the thread that gave cause.
 */
public final class WorkQueue {

  /** What every key needs: the server that has the objects. While it is overloaded all wait. */
  public static final String SERVER = "server";

  static final long NEVER = Long.MAX_VALUE;

  private final String name;
  private final Clock clock;
  private final QueueLimits limits;
  private final QueueMeter meter;
  private final long origin;
  private final long backoffFirst;
  private final long backoffMax;
  private volatile Runnable onReady = () -> {};
  private volatile Runnable onRoom = () -> {};

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final RandomGenerator random;

  @GuardedBy("lock")
  private final Map<Key, Slot> slots = new HashMap<>();

  @GuardedBy("lock")
  private final Chain<Slot> working = new Chain<>();

  @GuardedBy("lock")
  private final Timers timers = new Timers();

  @GuardedBy("lock")
  private final Breakers breakers;

  @GuardedBy("lock")
  private ReadyOrder ready;

  @GuardedBy("lock")
  private final Counts counts = new Counts();

  @GuardedBy("lock")
  private long lastTime;

  /** When somebody who got nothing will look again by himself; he is told if it is sooner. */
  @GuardedBy("lock")
  private long awaited;

  @GuardedBy("lock")
  private boolean someoneWaits;

  @GuardedBy("lock")
  private boolean overflowed;

  @GuardedBy("lock")
  private boolean draining;

  /** What has happened, for the figures. */
  static final class Counts {
    long adds;
    long merged;
    long takes;
    long failures;
    long refused;
  }

  /** What to call once the lock is free. */
  private record Calls(boolean ready, boolean room) {
    static final Calls NONE = new Calls(false, false);
  }

  public WorkQueue(String name, Clock clock, RandomGenerator random, QueueLimits limits) {
    this(name, clock, random, limits, QueueMeter.NONE);
  }

  public WorkQueue(
      String name, Clock clock, RandomGenerator random, QueueLimits limits, QueueMeter meter) {
    this.name = name;
    this.meter = meter;
    this.clock = clock;
    this.random = random;
    this.limits = limits;
    this.origin = clock.nanoTime();
    this.backoffFirst = Backoff.nanos(limits.backoffFirst());
    this.backoffMax = Backoff.nanos(limits.backoffMax());
    this.breakers = new Breakers(limits);
    this.ready = new ReadyOrder(limits.agedEvery());
  }

  /**
   * To be called when {@link #take} may give something after it gave null, and when {@link
   * #untilNext} has become shorter; also when the last item of a queue that drains is done. One
   * call stands for all that happened since: whoever is called takes until there is null again. It
   * must neither block nor throw. To be set before the queue is used.
   */
  public void onReady(Runnable call) {
    this.onReady = call;
  }

  /**
   * To be called when wake-ups were refused and half of the room is free again: whoever is called
   * adds all keys once more. It must neither block nor throw. To be set before the queue is used.
   */
  public void onRoom(Runnable call) {
    this.onRoom = call;
  }

  public String name() {
    return name;
  }

  /**
   * Wakes a key now.
   *
   * @return false if the key was not taken in: the queue drains, or it is full and does not know
   *     the key. If it is full, {@link #onRoom} is called later; an owner who then adds more keys
   *     than there is room for remembers where he was refused and goes on from there
   */
  public boolean add(Key key, Priority priority, Wake reason) {
    return addAfter(key, Duration.ZERO, priority, reason);
  }

  /** Wakes a key after a delay. It answers as {@link #add} does. */
  public boolean addAfter(Key key, Duration delay, Priority priority, Wake reason) {
    Objects.requireNonNull(reason, "reason");
    Calls calls;
    boolean taken;
    synchronized (lock) {
      long now = advance();
      taken = !draining && add(key, now, now + Backoff.nanos(delay), priority, reason);
      calls = calls(now);
    }
    make(calls);
    return taken;
  }

  @GuardedBy("lock")
  private boolean add(Key key, long now, long due, Priority priority, Wake reason) {
    Slot slot = slots.get(key);
    if (slot == null) {
      if (slots.size() >= limits.entriesMax()) {
        counts.refused++;
        overflowed = true;
        return false;
      }
      slot = new Slot(key, priority);
      slots.put(key, slot);
      slot.merge(reason, limits.wakesMax());
      slot.since = now;
      schedule(slot, now, due, Entry.State.DELAYED);
    } else {
      counts.merged++;
      merge(slot, now, due, priority);
      slot.merge(reason, limits.wakesMax());
    }
    counts.adds++;
    return true;
  }

  @GuardedBy("lock")
  private void merge(Slot slot, long now, long due, Priority priority) {
    switch (slot.state) {
      case WORKING -> {
        boolean first = slot.wake == null;
        if (first) {
          slot.since = now;
        }
        slot.due = first ? due : Math.min(slot.due, due);
        slot.priority = first || priority.isAbove(slot.priority) ? priority : slot.priority;
      }
      case READY -> {
        if (priority.isAbove(slot.priority)) {
          ready.raise(slot, priority);
        }
      }
      case HELD -> raise(slot, priority);
      case DELAYED, BACKOFF -> {
        raise(slot, priority);
        if (due < slot.due) {
          slot.forgetTimers();
          timers.remove(slot);
          slot.count(now, 0);
          schedule(slot, now, due, Entry.State.DELAYED);
        }
      }
    }
  }

  private static void raise(Slot slot, Priority priority) {
    if (priority.isAbove(slot.priority)) {
      slot.priority = priority;
    }
  }

  /** Sets a key that is in no list to a time, which may be now. */
  @GuardedBy("lock")
  private void schedule(Slot slot, long now, long due, Entry.State whileWaiting) {
    if (due <= now) {
      makeReady(slot, now);
    } else {
      slot.state = whileWaiting;
      slot.due = due;
      timers.add(slot);
    }
  }

  @GuardedBy("lock")
  private void makeReady(Slot slot, long at) {
    slot.since = at;
    Breaker breaker = slot.breaker;
    if (breaker != null && breaker.isOpen()) {
      slot.state = Entry.State.HELD;
      breaker.held.addLast(slot);
    } else {
      line(slot, at);
    }
  }

  @GuardedBy("lock")
  private void line(Slot slot, long at) {
    slot.state = Entry.State.READY;
    slot.gatedBefore = breakers.server.openNanos(at);
    ready.add(slot);
  }

  /**
   * The next key that is ready, that nobody works on and that waits for nothing; null if there is
   * none. The caller owes a {@link #done}.
   */
  public @Nullable Item take() {
    Item item = takeNext();
    if (item != null) {
      meter.taken(item.segments().readyNanos());
    }
    return item;
  }

  private @Nullable Item takeNext() {
    synchronized (lock) {
      long now = advance();
      Slot slot = serverAllows(now) ? ready.next() : null;
      if (slot == null) {
        someoneWaits = true;
        awaited = nextTime(now);
        return null;
      }
      if (breakers.server.isOpen()) {
        breakers.server.probe(now);
        slot.probesServer = true;
      }
      Invariants.hold(
          slot.work == null && slot.state == Entry.State.READY,
          "queue_one_worker",
          () -> name + ": " + slot.key + " is taken while it is " + slot.state + ", " + slot.work);
      slot.count(now, breakers.server.openNanos(now));
      slot.state = Entry.State.WORKING;
      working.addLast(slot);
      counts.takes++;
      return slot.take(counts.takes, now);
    }
  }

  @GuardedBy("lock")
  private boolean serverAllows(long now) {
    return !breakers.server.isOpen() || breakers.server.nextProbe() <= now;
  }

  /**
   * Gives a key back.
   *
   * @throws IllegalStateException if it is not being worked on, or by somebody else
   */
  public void done(Item item, Result result) {
    Calls calls;
    long worked;
    synchronized (lock) {
      long now = advance();
      Slot slot = slots.get(item.key());
      Slot.Work work = slot == null ? null : slot.work;
      if (slot == null || work == null || work.item().number() != item.number()) {
        throw new IllegalStateException(
            "queue " + name + ": nobody works on " + item.key() + " as item " + item.number());
      }
      worked = now - work.since();
      working.remove(slot);
      slot.work = null;
      if (draining) {
        slots.remove(slot.key);
      } else {
        finish(slot, work.item(), result, now);
      }
      calls = calls(now);
    }
    meter.worked(worked);
    make(calls);
  }

  @GuardedBy("lock")
  private void finish(Slot slot, Item item, Result result, long now) {
    boolean addedMeanwhile = slot.wake != null;
    long due = addedMeanwhile ? slot.due : NEVER;
    if (addedMeanwhile) {
      slot.count(now, 0);
    } else {
      slot.priority = item.priority();
      slot.since = now;
    }
    Breaker probed = slot.probesBreaker ? slot.breaker : null;
    boolean held = breakers.answered(slot, result, now, random);
    if (probed != null && !probed.isOpen()) {
      release(probed, now);
    }
    switch (result) {
      case Result.Settled _ -> {
        slot.attempts = 0;
        slot.breaker = null;
        if (addedMeanwhile) {
          schedule(slot, now, due, Entry.State.DELAYED);
        } else {
          slots.remove(slot.key);
        }
      }
      case Result.Again(Duration after, String why) -> {
        slot.attempts = 0;
        slot.breaker = null;
        long again = now + Backoff.nanos(after);
        if (again <= due) {
          slot.merge(new Wake(Wake.Kind.TIMER, why), limits.wakesMax());
        }
        raise(slot, item.priority());
        schedule(slot, now, Math.min(due, again), Entry.State.DELAYED);
      }
      case Result.Failed(String why) -> {
        slot.breaker = null;
        retry(slot, item, why, now, due, 0);
      }
      case Result.Overloaded(String dependency, Duration retryAfter) -> {
        long asked = Math.min(Backoff.nanos(retryAfter), backoffMax);
        retry(slot, item, dependency + " is overloaded", now, held ? now : due, asked);
      }
    }
  }

  /** Comes back at the time it was added for, or after its backoff if that is sooner. */
  @GuardedBy("lock")
  private void retry(Slot slot, Item item, String why, long now, long due, long askedNanos) {
    counts.failures++;
    slot.attempts = slot.attempts == Integer.MAX_VALUE ? slot.attempts : slot.attempts + 1;
    slot.merge(new Wake(Wake.Kind.RETRY, why), limits.wakesMax());
    raise(slot, item.priority());
    long wait =
        Math.max(askedNanos, Backoff.nanos(backoffFirst, backoffMax, slot.attempts, random));
    boolean sooner = due <= now + wait;
    schedule(
        slot, now, sooner ? due : now + wait, sooner ? Entry.State.DELAYED : Entry.State.BACKOFF);
  }

  /** The breaker has closed: all that waited for it may go. */
  @GuardedBy("lock")
  private void release(Breaker breaker, long now) {
    while (!breaker.held.isEmpty()) {
      Slot slot = breaker.held.removeFirst();
      slot.count(now, 0);
      line(slot, now);
    }
  }

  /** Does what time has brought, and tells what time it is. */
  @GuardedBy("lock")
  private long advance() {
    lastTime = Math.max(lastTime, clock.nanoTime() - origin);
    long now = lastTime;
    for (Slot slot = timers.first(); slot != null && slot.due <= now; slot = timers.first()) {
      timers.remove(slot);
      slot.count(slot.due, 0);
      makeReady(slot, slot.due);
    }
    for (Breaker breaker : breakers.dueForProbe(now)) {
      Slot slot = breaker.held.removeFirst();
      slot.count(now, 0);
      slot.probesBreaker = true;
      breaker.probe(now);
      line(slot, now);
    }
    return now;
  }

  /**
   * How long until {@link #take} may give something without anybody doing anything: zero if it
   * would now, null if nothing is to be waited for.
   */
  public @Nullable Duration untilNext() {
    synchronized (lock) {
      long now = advance();
      long next = nextTime(now);
      return next == NEVER ? null : Duration.ofNanos(next - now);
    }
  }

  @GuardedBy("lock")
  private long nextTime(long now) {
    long next = ready.size() > 0 ? now : NEVER;
    Slot soonest = timers.first();
    if (soonest != null) {
      next = Math.min(next, soonest.due);
    }
    next = Math.min(next, breakers.nextProbe());
    if (next != NEVER && breakers.server.isOpen()) {
      next = Math.max(next, breakers.server.nextProbe());
    }
    return next;
  }

  @GuardedBy("lock")
  private Calls calls(long now) {
    boolean room = overflowed && slots.size() <= limits.entriesMax() / 2 && !draining;
    if (room) {
      overflowed = false;
    }
    boolean look = false;
    if (someoneWaits) {
      long next = nextTime(now);
      look = next <= now || next < awaited || (draining && working.isEmpty());
      someoneWaits = !look;
    }
    return look || room ? new Calls(look, room) : Calls.NONE;
  }

  private void make(Calls calls) {
    if (calls.ready) {
      onReady.run();
    }
    if (calls.room) {
      onRoom.run();
    }
  }

  /**
   * Ends the queue: nothing more is taken in or given out, and what nobody works on is forgotten.
   * That is no loss, because a queue holds no state of its own: whoever is in charge next looks at
   * everything anew.
   */
  public void drain() {
    Calls calls;
    synchronized (lock) {
      long now = advance();
      draining = true;
      slots.clear();
      timers.clear();
      breakers.clear();
      ready = new ReadyOrder(limits.agedEvery());
      for (Slot slot = working.first(); slot != null; slot = slot.next) {
        slots.put(slot.key, slot);
      }
      someoneWaits = true;
      calls = calls(now);
    }
    make(calls);
  }

  /** Whether {@link #drain} was called and every worker is done. */
  public boolean isDrained() {
    synchronized (lock) {
      return draining && working.isEmpty();
    }
  }

  /**
   * What is in the queue: what is worked on, then what is ready, what waits for its time and what
   * is held, each as it is due.
   */
  public List<Entry> entries(int max) {
    synchronized (lock) {
      long now = advance();
      return new Views(clock, now, breakers).entries(max, working, ready, timers);
    }
  }

  public QueueFigures figures() {
    synchronized (lock) {
      long now = advance();
      return new Views(clock, now, breakers)
          .figures(name, counts, overflowed, draining, working, ready, timers);
    }
  }
}
