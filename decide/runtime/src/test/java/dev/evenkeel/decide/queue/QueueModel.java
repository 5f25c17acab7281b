package dev.evenkeel.decide.queue;

import dev.evenkeel.decide.queue.Entry.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a queue should do, said as plainly as possible: one list of keys, and every question
 * answered by looking at all of them. Times are nanoseconds; every wait is as long as chance
 * allows.
 */
final class QueueModel {

  /** A key and all that is known of it. */
  static final class Known {
    final Key key;
    State state = State.DELAYED;
    Priority priority;
    final Set<Wake> wakes = new LinkedHashSet<>();
    int adds;
    int attempts;
    long due;
    long scheduled;
    long age;
    long place;
    @Nullable Door door;
    boolean probesServer;
    boolean probesDoor;
    @Nullable Item item;
    final Map<String, Long> waited = new HashMap<>();

    Known(Key key, Priority priority) {
      this.key = key;
      this.priority = priority;
    }

    boolean isWaiting() {
      return state != State.WORKING || adds > 0;
    }

    private void spend(String how, long nanos) {
      waited.merge(how, Math.max(0, nanos), Long::sum);
    }

    Segments segments() {
      return new Segments(
          waited.getOrDefault("ready", 0L),
          waited.getOrDefault("delayed", 0L),
          waited.getOrDefault("backoff", 0L),
          waited.getOrDefault("gated", 0L),
          waited.getOrDefault("busy", 0L));
    }
  }

  /** A dependency that may be overloaded. */
  static final class Door {
    final String name;
    boolean open = true;
    int overloads;
    long windowStart;
    int openings;
    int probesWell;
    long nextProbe;

    Door(String name) {
      this.name = name;
    }
  }

  private final QueueLimits limits;
  final Map<Key, Known> known = new LinkedHashMap<>();
  private final Map<String, Door> doors = new LinkedHashMap<>();
  final Door server = new Door(WorkQueue.SERVER);

  /** When a namespace had its last turn by age; and by priority, for each. */
  private final Map<String, Long> ageTurns = new HashMap<>();

  private final Map<String, Long> priorityTurns = new HashMap<>();
  private long counter;
  private long now;
  private int sinceAged;
  long takes;
  boolean overflowed;
  int roomCalls;

  QueueModel(QueueLimits limits) {
    this.limits = limits;
  }

  boolean add(Key key, long delay, Priority priority, Wake reason) {
    Known found = known.get(key);
    if (found == null) {
      if (known.size() == limits.entriesMax()) {
        overflowed = true;
        return false;
      }
      found = new Known(key, priority);
      known.put(key, found);
      wake(found, reason);
      wait(found, now + delay, State.DELAYED);
      return true;
    }
    if (found.state == State.WORKING) {
      boolean first = found.adds == 0;
      found.due = first ? now + delay : Math.min(found.due, now + delay);
      found.priority = first ? priority : higher(found.priority, priority);
    } else if (found.state == State.READY) {
      if (higher(found.priority, priority) != found.priority) {
        found.priority = priority;
        joinLine(found);
      }
    } else {
      found.priority = higher(found.priority, priority);
      if (found.state != State.HELD && now + delay < found.due) {
        found.wakes.removeIf(each -> each.kind() == Wake.Kind.TIMER);
        wait(found, now + delay, State.DELAYED);
      }
    }
    wake(found, reason);
    return true;
  }

  private void wake(Known found, Wake reason) {
    found.adds++;
    if (found.wakes.size() < limits.wakesMax()) {
      found.wakes.add(reason);
    }
  }

  private static Priority higher(Priority a, Priority b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private void wait(Known found, long due, State state) {
    if (due <= now) {
      becomeReady(found);
    } else {
      found.state = state;
      found.due = due;
      found.scheduled = counter++;
    }
  }

  private void becomeReady(Known found) {
    if (found.door != null && !found.door.open) {
      found.state = State.HELD;
      found.scheduled = counter++;
    } else {
      enter(found);
    }
  }

  private void enter(Known found) {
    if (ready().noneMatch(other -> sameNamespace(other, found))) {
      ageTurns.put(found.key.namespace(), counter++);
    }
    found.age = counter++;
    joinLine(found);
    found.state = State.READY;
  }

  private void joinLine(Known found) {
    if (ready()
        .noneMatch(
            other ->
                other != found
                    && sameNamespace(other, found)
                    && other.priority == found.priority)) {
      priorityTurns.put(line(found), counter++);
    }
    found.place = counter++;
  }

  private static String line(Known found) {
    return found.priority + " " + found.key.namespace();
  }

  private static boolean sameNamespace(Known a, Known b) {
    return a.key.namespace().equals(b.key.namespace());
  }

  private Stream<Known> ready() {
    return in(State.READY);
  }

  Stream<Known> in(State state) {
    return known.values().stream().filter(found -> found.state == state);
  }

  @Nullable Item take() {
    if (ready().findAny().isEmpty() || (!server.open && server.nextProbe > now)) {
      return null;
    }
    Known next;
    if (++sinceAged == limits.agedEvery()) {
      sinceAged = 0;
      next =
          least(
              ready(),
              Comparator.comparing((Known found) -> ageTurns.get(found.key.namespace()))
                  .thenComparingLong(found -> found.age));
      ageTurns.put(next.key.namespace(), counter++);
    } else {
      next =
          least(
              ready(),
              Comparator.comparing((Known found) -> found.priority)
                  .reversed()
                  .thenComparing(found -> priorityTurns.get(line(found)))
                  .thenComparingLong(found -> found.place));
      priorityTurns.put(line(next), counter++);
    }
    if (!server.open) {
      next.probesServer = true;
      server.nextProbe = now + nanos(limits.openMax());
    }
    next.state = State.WORKING;
    takes++;
    var item =
        new Item(
            takes,
            next.key,
            next.priority,
            List.copyOf(next.wakes),
            next.adds,
            next.attempts + 1,
            next.segments());
    next.item = item;
    next.wakes.clear();
    next.adds = 0;
    next.waited.clear();
    return item;
  }

  private static Known least(Stream<Known> among, Comparator<Known> order) {
    return among.min(order).orElseThrow();
  }

  void done(Item item, Result result) {
    Known found = Objects.requireNonNull(known.get(item.key()));
    found.item = null;
    boolean added = found.adds > 0;
    long due = added ? found.due : Long.MAX_VALUE;
    found.priority = added ? found.priority : item.priority();
    Door overloaded = hear(found, result);
    if (result instanceof Result.Settled && !added) {
      known.remove(item.key());
      room();
      return;
    }
    if (!(result instanceof Result.Settled)) {
      found.priority = higher(found.priority, item.priority());
    }
    if (!(result instanceof Result.Overloaded)) {
      found.door = null;
    } else if (overloaded != null && overloaded != server) {
      found.door = overloaded;
    }
    switch (result) {
      case Result.Settled _ -> {
        found.attempts = 0;
        wait(found, due, State.DELAYED);
      }
      case Result.Again(Duration after, String why) -> {
        found.attempts = 0;
        if (now + nanos(after) <= due) {
          wake(found, new Wake(Wake.Kind.TIMER, why));
        }
        wait(found, Math.min(due, now + nanos(after)), State.DELAYED);
      }
      case Result.Failed(String why) -> retry(found, why, due, 0);
      case Result.Overloaded(String dependency, Duration after) ->
          retry(
              found,
              dependency + " is overloaded",
              overloaded != null && !overloaded.open ? now : due,
              Math.min(nanos(after), nanos(limits.backoffMax())));
    }
    room();
  }

  private void retry(Known found, String why, long due, long asked) {
    found.attempts++;
    wake(found, new Wake(Wake.Kind.RETRY, why));
    long backoff =
        Math.max(asked, doubled(limits.backoffFirst(), limits.backoffMax(), found.attempts));
    if (due <= now + backoff) {
      wait(found, due, State.DELAYED);
    } else {
      wait(found, now + backoff, State.BACKOFF);
    }
  }

  private static long doubled(Duration first, Duration most, int times) {
    long wait = nanos(first);
    for (int i = 1; i < times && wait < nanos(most); i++) {
      wait *= 2;
    }
    return Math.min(wait, nanos(most));
  }

  private static long nanos(Duration duration) {
    return duration.toNanos();
  }

  /** Tells the doors how it went; answers which is overloaded, if one is known to be. */
  private @Nullable Door hear(Known found, Result result) {
    Door overloaded = null;
    Duration asked = Duration.ZERO;
    if (result instanceof Result.Overloaded(String dependency, Duration after)) {
      overloaded = door(dependency);
      asked = after;
    }
    boolean probed = false;
    if (found.probesServer) {
      found.probesServer = false;
      probed = overloaded == server;
      if (!server.open && !probed) {
        well(server);
      }
    }
    if (found.probesDoor && found.door != null) {
      found.probesDoor = false;
      if (overloaded == found.door) {
        probed = true;
      } else if (result instanceof Result.Overloaded) {
        found.door.nextProbe = now;
      } else if (!found.door.open) {
        well(found.door);
      }
    }
    if (overloaded != null && overloaded.open) {
      overload(overloaded, asked);
    } else if (overloaded != null && probed) {
      shut(overloaded, asked);
    }
    return overloaded;
  }

  private @Nullable Door door(String dependency) {
    if (dependency.equals(WorkQueue.SERVER)) {
      return server;
    }
    if (!doors.containsKey(dependency) && doors.size() == limits.dependenciesMax()) {
      doors
          .values()
          .removeIf(door -> door.open && now - door.windowStart > nanos(limits.overloadWindow()));
    }
    if (!doors.containsKey(dependency) && doors.size() == limits.dependenciesMax()) {
      return null;
    }
    return doors.computeIfAbsent(dependency, Door::new);
  }

  private void overload(Door door, Duration asked) {
    if (door.overloads == 0 || now - door.windowStart > nanos(limits.overloadWindow())) {
      door.windowStart = now;
      door.overloads = 0;
    }
    if (++door.overloads == limits.overloadsToOpen()) {
      door.open = false;
      shut(door, asked);
    }
  }

  private void shut(Door door, Duration asked) {
    door.openings++;
    door.probesWell = 0;
    door.nextProbe =
        now
            + Math.max(
                doubled(limits.openFirst(), limits.openMax(), door.openings),
                Math.min(nanos(asked), nanos(limits.openMax())));
  }

  private void well(Door door) {
    door.nextProbe = now;
    if (++door.probesWell == limits.probesToClose()) {
      open(door);
      heldBy(door).forEach(this::enter);
    }
  }

  private void open(Door door) {
    door.open = true;
    door.openings = 0;
    door.probesWell = 0;
    door.overloads = 0;
    door.windowStart = now;
  }

  private List<Known> heldBy(Door door) {
    return in(State.HELD)
        .filter(found -> found.door == door)
        .sorted(Comparator.comparingLong(found -> found.scheduled))
        .toList();
  }

  private void room() {
    if (overflowed && known.size() <= limits.entriesMax() / 2) {
      overflowed = false;
      roomCalls++;
    }
  }

  /** Time passes: what is due becomes ready at its time, then doors let keys through. */
  void pass(long until) {
    while (true) {
      var due =
          Stream.concat(in(State.DELAYED), in(State.BACKOFF))
              .filter(found -> found.due <= until)
              .min(
                  Comparator.comparingLong((Known found) -> found.due)
                      .thenComparingLong(found -> found.scheduled));
      if (due.isEmpty()) {
        break;
      }
      spend(due.get().due);
      becomeReady(due.get());
    }
    spend(until);
    for (Door door : new ArrayList<>(doors.values())) {
      if (!door.open && door.nextProbe <= now) {
        List<Known> held = heldBy(door);
        if (held.isEmpty()) {
          open(door);
        } else {
          door.nextProbe = now + nanos(limits.openMax());
          held.getFirst().probesDoor = true;
          enter(held.getFirst());
        }
      }
    }
  }

  private void spend(long until) {
    for (Known found : known.values()) {
      switch (found.state) {
        case READY -> found.spend(server.open ? "ready" : "gated", until - now);
        case DELAYED -> found.spend("delayed", until - now);
        case BACKOFF -> found.spend("backoff", until - now);
        case HELD -> found.spend("gated", until - now);
        case WORKING -> {
          if (found.isWaiting()) {
            found.spend("delayed", Math.min(until, found.due) - now);
            found.spend("busy", until - Math.max(now, found.due));
          }
        }
      }
    }
    now = until;
  }

  /** When something may be taken; never is the largest number. */
  long next() {
    long next = ready().findAny().isPresent() ? now : Long.MAX_VALUE;
    for (Known found : known.values()) {
      long time =
          switch (found.state) {
            case DELAYED, BACKOFF -> found.due;
            case HELD -> found.door == null ? Long.MAX_VALUE : found.door.nextProbe;
            case READY, WORKING -> Long.MAX_VALUE;
          };
      next = Math.min(next, time);
    }
    return next == Long.MAX_VALUE || server.open ? next : Math.max(next, server.nextProbe);
  }

  int depth(State state) {
    boolean gated = !server.open;
    int ready = (int) ready().count();
    return switch (state) {
      case READY -> gated ? 0 : ready;
      case HELD -> (int) in(State.HELD).count() + (gated ? ready : 0);
      case WORKING, DELAYED, BACKOFF -> (int) in(state).count();
    };
  }
}
