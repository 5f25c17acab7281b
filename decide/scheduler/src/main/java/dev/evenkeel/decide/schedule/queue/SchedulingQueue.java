package dev.evenkeel.decide.schedule.queue;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.plugin.QueueSort;
import dev.evenkeel.decide.schedule.queue.Waiting.Segment;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.observe.object.Cached;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pods that wait for a node: the most important first, and of those the oldest. A pod that no
 * node was enough for waits until something changes that can help it, and at the most {@link
 * #AT_THE_LATEST}.
 *
 * <p><b>Invariants:</b> a pod is here once, in one segment. It holds no more than there are pods
 * without a node in the cluster.
 *
 * <p><b>Threading:</b> of the scheduler's loop; figures are for any thread.
 */
public final class SchedulingQueue {

  static final Duration BACKOFF_FIRST = Duration.ofSeconds(1);
  static final Duration BACKOFF_MAX = Duration.ofSeconds(10);

  /** Should a change that helps ever be missed, this mends it. */
  static final Duration AT_THE_LATEST = Duration.ofMinutes(5);

  /** Where nobody is about to place a pod. */
  private static final Set<Segment> IDLE =
      EnumSet.of(Segment.ACTIVE, Segment.BACKOFF, Segment.UNSCHEDULABLE);

  private final Clock clock;
  private final Map<String, Waiting> all = new HashMap<>();
  private final ActiveQueue active;
  private final TreeSet<Waiting> backoff =
      new TreeSet<>(
          Comparator.comparingLong((Waiting it) -> it.untilNanos)
              .thenComparingLong(Waiting::number));
  private final TreeSet<Waiting> unschedulable =
      new TreeSet<>(
          Comparator.comparingLong(Waiting::sinceNanos).thenComparingLong(Waiting::number));
  private long numbers;
  private volatile Map<Segment, Integer> figures = Map.of();

  SchedulingQueue(Clock clock) {
    this(clock, null);
  }

  /**
   * @param order who says whose turn is next; null if priority does
   */
  public SchedulingQueue(Clock clock, @Nullable QueueSort order) {
    this.clock = clock;
    this.active = ActiveQueue.by(order);
  }

  /** How many wait where. */
  public Map<Segment, Integer> figures() {
    return figures;
  }

  private void count() {
    Map<Segment, Integer> now = new EnumMap<>(Segment.class);
    now.put(Segment.ACTIVE, active.size());
    now.put(Segment.BACKOFF, backoff.size());
    now.put(Segment.UNSCHEDULABLE, unschedulable.size());
    int rest = all.size() - active.size() - backoff.size() - unschedulable.size();
    now.put(Segment.BINDING, rest - gated - permitted);
    now.put(Segment.GATED, gated);
    now.put(Segment.PERMIT, permitted);
    figures = now;
  }

  private int gated;
  private int permitted;

  public @Nullable Waiting find(String uid) {
    return all.get(uid);
  }

  int size() {
    return all.size();
  }

  /** A pod without a node is new, or has changed. */
  public void put(Cached<ObjectNode> object, PodInfo pod) {
    Waiting known = all.get(pod.uid());
    if (known == null) {
      Segment first = pod.gates().isEmpty() ? Segment.ACTIVE : Segment.GATED;
      var waiting = new Waiting(++numbers, object, pod, first, clock.nanoTime());
      waiting.because("OBJECT", "Pod/" + pod.name() + " added");
      all.put(pod.uid(), waiting);
      if (first == Segment.ACTIVE) {
        active.add(waiting);
      } else {
        gated++;
      }
      count();
      return;
    }
    boolean same =
        known.pod().shape().equals(pod.shape()) && known.pod().labels().equals(pod.labels());
    Segment segment = known.segment();
    leave(known);
    known.object(object, pod);
    if (segment == Segment.GATED && pod.gates().isEmpty()) {
      known.because("GATE", "the last gate was taken away");
      enter(known, Segment.ACTIVE);
    } else if (segment == Segment.UNSCHEDULABLE && !same) {
      known.because("OBJECT", "Pod/" + pod.name() + " changed");
      enter(known, Segment.ACTIVE);
    } else {
      back(known, segment);
    }
  }

  /** Whether it still wants the node that is being found for it. */
  public boolean has(Waiting waiting) {
    return all.get(waiting.pod().uid()) == waiting;
  }

  /** A pod wants no node any more. */
  public void remove(String uid) {
    Waiting known = all.remove(uid);
    if (known != null) {
      leave(known);
      count();
    }
  }

  private void leave(Waiting waiting) {
    switch (waiting.segment()) {
      case ACTIVE -> active.remove(waiting);
      case BACKOFF -> backoff.remove(waiting);
      case UNSCHEDULABLE -> unschedulable.remove(waiting);
      case GATED -> gated--;
      case PERMIT -> permitted--;
      case BINDING -> {}
    }
  }

  private void back(Waiting waiting, Segment segment) {
    switch (segment) {
      case ACTIVE -> active.add(waiting);
      case BACKOFF -> backoff.add(waiting);
      case UNSCHEDULABLE -> unschedulable.add(waiting);
      case GATED -> gated++;
      case PERMIT -> permitted++;
      case BINDING -> {}
    }
    count();
  }

  private void enter(Waiting waiting, Segment segment) {
    waiting.enter(segment, clock.nanoTime());
    back(waiting, segment);
  }

  private void move(Waiting waiting, Segment segment) {
    leave(waiting);
    enter(waiting, segment);
  }

  /** The next to be tried; they are binding until something else is said of them. */
  public List<Waiting> take(int max) {
    ripen();
    List<Waiting> taken = new ArrayList<>(Math.max(0, Math.min(max, active.size())));
    while (taken.size() < max) {
      Waiting first = active.take();
      if (first == null) {
        break;
      }
      first.enter(Segment.BINDING, clock.nanoTime());
      taken.add(first);
    }
    if (!taken.isEmpty()) {
      count();
    }
    return taken;
  }

  /** Takes these as if it were their turn, where they are not taken already. */
  public List<Waiting> take(Collection<String> uids) {
    List<Waiting> taken = new ArrayList<>(uids.size());
    for (String uid : uids) {
      Waiting waiting = all.get(uid);
      if (waiting != null && IDLE.contains(waiting.segment())) {
        leave(waiting);
        waiting.enter(Segment.BINDING, clock.nanoTime());
        taken.add(waiting);
      }
    }
    count();
    return taken;
  }

  public boolean hasActive() {
    return active.size() > 0;
  }

  private void ripen() {
    long now = clock.nanoTime();
    while (!backoff.isEmpty() && backoff.first().untilNanos <= now) {
      move(backoff.first(), Segment.ACTIVE);
    }
    while (!unschedulable.isEmpty()
        && now - unschedulable.first().sinceNanos() >= AT_THE_LATEST.toNanos()) {
      Waiting oldest = unschedulable.first();
      oldest.because("RESYNC", "it waited for " + AT_THE_LATEST.toMinutes() + " minutes");
      move(oldest, Segment.ACTIVE);
    }
  }

  /** When the next one is to be tried though nothing changes; null if none. */
  public @Nullable Duration nextIn() {
    long now = clock.nanoTime();
    long next = Long.MAX_VALUE;
    if (!backoff.isEmpty()) {
      next = backoff.first().untilNanos - now;
    }
    if (!unschedulable.isEmpty()) {
      next = Math.min(next, unschedulable.first().sinceNanos() + AT_THE_LATEST.toNanos() - now);
    }
    return next == Long.MAX_VALUE ? null : Duration.ofNanos(Math.max(0, next));
  }

  /** No node was enough. */
  public void unschedulable(Waiting waiting, Set<WakeOn> helpedBy, Set<String> heldBy) {
    if (all.get(waiting.pod().uid()) != waiting) {
      return;
    }
    waiting.helpedBy = helpedBy;
    waiting.heldBy = heldBy;
    move(waiting, Segment.UNSCHEDULABLE);
  }

  /** It has a node, and a plugin has it wait; or, after that, it is bound. */
  public void permit(Waiting waiting, boolean waits) {
    if (all.get(waiting.pod().uid()) == waiting) {
      move(waiting, waits ? Segment.PERMIT : Segment.BINDING);
    }
  }

  /** It is tried again after a while that grows with its attempts. */
  public void backoff(Waiting waiting) {
    if (all.get(waiting.pod().uid()) != waiting) {
      return;
    }
    leave(waiting);
    waiting.untilNanos = clock.nanoTime() + pause(waiting).toNanos();
    enter(waiting, Segment.BACKOFF);
  }

  /** It is tried again at once. */
  public void again(Waiting waiting, String why) {
    if (all.get(waiting.pod().uid()) != waiting) {
      return;
    }
    waiting.because("CONFLICT", why);
    move(waiting, Segment.ACTIVE);
  }

  private static Duration pause(Waiting waiting) {
    Duration pause = BACKOFF_FIRST;
    for (int i = 1; i < waiting.attempts() && pause.compareTo(BACKOFF_MAX) < 0; i++) {
      pause = pause.multipliedBy(2);
    }
    return pause.compareTo(BACKOFF_MAX) > 0 ? BACKOFF_MAX : pause;
  }

  /** Something changed that matters to these: they are tried again, when their pause is over. */
  public void wake(Collection<String> uids, String why) {
    for (String uid : uids) {
      Waiting waiting = all.get(uid);
      if (waiting != null && waiting.segment() == Segment.UNSCHEDULABLE) {
        wake(waiting, why);
      }
    }
  }

  /**
   * Something changed: those it can help are tried again, not before their pause is over.
   *
   * @param freed quotas: they help whom they held, and nobody else
   */
  public void wake(EnumSet<WakeOn> changes, Set<String> freed, String why) {
    if (unschedulable.isEmpty()) {
      return;
    }
    for (Waiting waiting : List.copyOf(unschedulable)) {
      boolean helps =
          waiting.helpedBy.contains(WakeOn.ANYTHING)
              || waiting.helpedBy.stream().anyMatch(changes::contains)
              || (!freed.isEmpty() && waiting.heldBy.stream().anyMatch(freed::contains));
      if (helps) {
        wake(waiting, why);
      }
    }
  }

  private void wake(Waiting waiting, String why) {
    waiting.because("REFERRED", why);
    leave(waiting);
    long until = waiting.sinceNanos() + pause(waiting).toNanos();
    if (until <= clock.nanoTime()) {
      enter(waiting, Segment.ACTIVE);
    } else {
      waiting.untilNanos = until;
      enter(waiting, Segment.BACKOFF);
    }
  }
}
