package dev.evenkeel.decide.schedule.group;

import dev.evenkeel.decide.schedule.place.Cluster;
import dev.evenkeel.decide.schedule.place.Placement;
import dev.evenkeel.kernel.env.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The room that a group holds while it waits for more. Without it smaller pods would take each
 * place as it comes free, and a large group would never find all of its places at once.
 *
 * <p><b>Invariants:</b> at most one group holds: two could hold what the other needs. It holds for
 * no longer than it may, and then not again before the same time has passed; and nobody else does
 * for {@link #PAUSE}. Whoever does not hold has no nominations from here.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
public final class RoomHold {

  /**
   * After a hold ran out, nobody holds for this long: each pod that it kept waiting has its turn
   * meanwhile, also if it has to pause. Otherwise groups that never fit could pass the room to each
   * other for ever.
   */
  public static final Duration PAUSE = Duration.ofSeconds(12);

  /**
   * Who holds.
   *
   * @param priority of the most important of its pods
   * @param until when it has to let go
   * @param uids of the pods whose places it has
   */
  private record Held(
      KnownGroup group, int priority, long untilNanos, Instant until, Set<String> uids) {}

  private record Rest(long untilNanos, Instant held, Instant until) {
    String says() {
      return "It held room until %s, and may again from %s.".formatted(held, until);
    }
  }

  private final Cluster cluster;
  private final Clock clock;
  private @Nullable Held held;

  /** Groups that held for as long as they might: when they may again. */
  private final Map<String, Rest> resting = new HashMap<>();

  /** Groups that would hold, if others did not or had not just done so. */
  private final Set<String> turnedAway = new HashSet<>();

  private @Nullable Long pauseUntilNanos;

  public RoomHold(Cluster cluster, Clock clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  public boolean isHeldBy(String key) {
    return held != null && held.group.key().equals(key);
  }

  /** The group that holds; null if none does. */
  public @Nullable String holder() {
    return held == null ? null : held.group.key();
  }

  /** How many places are held. */
  public int places() {
    return held == null ? 0 : held.uids.size();
  }

  /**
   * A group found places, but too few: it holds them if it may, and goes on holding until the time
   * that was set when it began.
   *
   * @return for people, what it holds or why it does not
   */
  public String take(KnownGroup group, int priority, List<Placement.Placed> found) {
    String key = group.key();
    if (found.isEmpty()) {
      release(key);
      return "";
    }
    Rest rest = resting.get(key);
    if (rest != null) {
      return rest.says();
    }
    if (pauseUntilNanos != null && clock.nanoTime() < pauseUntilNanos) {
      turnedAway.add(key);
      return "Another group just let go of room, which is for others first.";
    }
    if (held != null && !isHeldBy(key) && held.priority >= priority) {
      turnedAway.add(key);
      return "Another group, \"%s\", holds room until %s.".formatted(held.group.key(), held.until);
    }
    long untilNanos = clock.nanoTime() + group.holdsFor().toNanos();
    Instant until = inSeconds(clock.now().plus(group.holdsFor()));
    if (held != null && isHeldBy(key)) {
      untilNanos = held.untilNanos;
      until = held.until;
    }
    if (held != null && !isHeldBy(key)) {
      turnedAway.add(held.group.key());
    }
    withdraw();
    Set<String> uids = new HashSet<>();
    for (Placement.Placed each : found) {
      cluster.nominate(each.pod(), each.node());
      uids.add(each.pod().uid());
    }
    held = new Held(group, priority, untilNanos, until, uids);
    return "It holds that room until " + until + ".";
  }

  private static Instant inSeconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  /** Takes its places back, so that the group is placed anew: who holds stays who holds. */
  public void withdraw(String key) {
    if (isHeldBy(key)) {
      withdraw();
    }
  }

  private void withdraw() {
    if (held != null) {
      held.uids.forEach(cluster::removeNomination);
      held.uids.clear();
    }
  }

  /** The group needs no places any more, or is gone. */
  public void release(String key) {
    if (isHeldBy(key)) {
      withdraw();
      held = null;
    }
  }

  /**
   * Lets go if the time is over.
   *
   * @return the group that did; null if none had to
   */
  public @Nullable KnownGroup expire() {
    long now = clock.nanoTime();
    if (held == null || held.untilNanos > now) {
      return null;
    }
    KnownGroup group = held.group;
    resting.put(
        group.key(),
        new Rest(
            now + group.holdsFor().toNanos(),
            held.until,
            inSeconds(clock.now().plus(group.holdsFor()))));
    release(group.key());
    pauseUntilNanos = now + PAUSE.toNanos();
    return group;
  }

  /** When the group, which had to let go, may hold again; empty if it may. */
  public String mayAgain(String key) {
    Rest rest = resting.get(key);
    return rest == null ? "" : rest.says();
  }

  /** Groups that may hold now and could not before, since the last call. */
  public Set<String> rested() {
    if (resting.isEmpty() && turnedAway.isEmpty()) {
      return Set.of();
    }
    long now = clock.nanoTime();
    Set<String> rested = new HashSet<>();
    if (held == null && (pauseUntilNanos == null || pauseUntilNanos <= now)) {
      rested.addAll(turnedAway);
      turnedAway.clear();
    }
    resting.forEach(
        (key, rest) -> {
          if (rest.untilNanos <= now) {
            rested.add(key);
          }
        });
    rested.forEach(resting::remove);
    return rested;
  }

  /** When somebody has to let go, or may hold again; null if never. */
  public @Nullable Duration nextIn() {
    long next = held == null ? Long.MAX_VALUE : held.untilNanos;
    if (held == null && pauseUntilNanos != null && !turnedAway.isEmpty()) {
      next = Math.max(pauseUntilNanos, clock.nanoTime());
    }
    for (Rest rest : resting.values()) {
      next = Math.min(next, rest.untilNanos);
    }
    return next == Long.MAX_VALUE ? null : Duration.ofNanos(Math.max(0, next - clock.nanoTime()));
  }
}
