package dev.evenkeel.decide.schedule.queue;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.observe.object.Cached;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * A pod that wants a node.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
public final class Waiting {

  /** Where a pod waits. */
  public enum Segment {
    /** It is tried as soon as its turn comes. */
    ACTIVE,
    /** It was tried, and is tried again after a while. */
    BACKOFF,
    /** Somebody holds it back by a gate. */
    GATED,
    /** No node was enough: it waits for a change that can help. */
    UNSCHEDULABLE,
    /** It was placed, and the server is asked to commit it. */
    BINDING,
    /** It was placed, and a plugin has it wait before it may be bound. */
    PERMIT
  }

  private static final int REASONS_MAX = 4;

  private final long number;
  private final Map<Segment, Long> nanos = new EnumMap<>(Segment.class);
  private final ArrayDeque<Decision.Reason> reasons = new ArrayDeque<>(2);
  private PodInfo pod;
  private Cached<ObjectNode> object;
  private Segment segment;
  private long sinceNanos;
  private long queuedNanos;
  private int wakeUps;
  private int attempts;

  /** In {@link Segment#UNSCHEDULABLE}: what can help. */
  Set<WakeOn> helpedBy = Set.of();

  /** In {@link Segment#UNSCHEDULABLE}: the quotas whose freeing can help. */
  Set<String> heldBy = Set.of();

  /** In {@link Segment#BACKOFF}: until when. */
  long untilNanos;

  /** The version of its object when something was last written on it; it may not show that yet. */
  public long toldAtVersion = -1;

  /** How often in a row the server refused what was seen as enough. */
  public int refusals;

  Waiting(long number, Cached<ObjectNode> object, PodInfo pod, Segment segment, long nowNanos) {
    this.number = number;
    this.object = object;
    this.pod = pod;
    this.segment = segment;
    this.sinceNanos = nowNanos;
    this.queuedNanos = nowNanos;
  }

  public PodInfo pod() {
    return pod;
  }

  public Cached<ObjectNode> object() {
    return object;
  }

  void object(Cached<ObjectNode> newest, PodInfo info) {
    object = newest;
    pod = info;
  }

  /** In the order of their coming. */
  long number() {
    return number;
  }

  public Segment segment() {
    return segment;
  }

  void enter(Segment next, long nowNanos) {
    nanos.merge(segment, nowNanos - sinceNanos, Long::sum);
    if (segment == Segment.GATED) {
      queuedNanos = nowNanos;
    }
    segment = next;
    sinceNanos = nowNanos;
  }

  public int attempts() {
    return attempts;
  }

  /** Since when it could be placed: it came, or its last gate went. */
  public long queuedNanos() {
    return queuedNanos;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  void because(String kind, String text) {
    wakeUps++;
    if (reasons.size() < REASONS_MAX) {
      reasons.add(new Decision.Reason(kind, text));
    }
  }

  /** An attempt begins: why, and where the time since the last one went. */
  public Decision.Waking attempt() {
    attempts++;
    var waking =
        new Decision.Waking(
            List.copyOf(reasons),
            wakeUps,
            attempts,
            spent(Segment.ACTIVE),
            spent(Segment.UNSCHEDULABLE),
            spent(Segment.BACKOFF),
            spent(Segment.GATED));
    reasons.clear();
    wakeUps = 0;
    nanos.clear();
    return waking;
  }

  private Duration spent(Segment in) {
    return Duration.ofNanos(nanos.getOrDefault(in, 0L));
  }
}
