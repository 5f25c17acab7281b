package dev.evenkeel.decide.run;

import dev.evenkeel.decide.queue.Item;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.queue.Result;
import dev.evenkeel.decide.queue.Segments;
import dev.evenkeel.explain.record.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a decision's record that the queue knows, for whoever works on its keys. */
public final class Records {

  private Records() {}

  /** Why a key was looked at, and where the time before went. */
  public static Decision.Waking waking(Item item) {
    Segments segments = item.segments();
    return new Decision.Waking(
        item.wakes().stream()
            .map(wake -> new Decision.Reason(wake.kind().name(), wake.text()))
            .toList(),
        item.adds(),
        item.attempt(),
        Duration.ofNanos(segments.readyNanos() + segments.busyNanos()),
        Duration.ofNanos(segments.delayedNanos()),
        Duration.ofNanos(segments.backoffNanos()),
        Duration.ofNanos(segments.gatedNanos()));
  }

  /** When a key is looked at again though nothing changed; null if that was not asked for. */
  public static Decision.@Nullable Next next(Result result, Instant now) {
    return result instanceof Result.Again(Duration after, String why)
        ? new Decision.Next(now.plus(after), why)
        : null;
  }

  /** A reconcile that goes on for ever. */
  static Decision stuck(
      String id, Controller<?> controller, Key key, Instant begun, Duration took, String why) {
    return new Decision(
        id,
        controller.name(),
        new Decision.Subject(
            controller.kind().gvk().apiVersion(),
            controller.kind().gvk().kind(),
            key.namespace(),
            key.name(),
            "",
            0,
            0),
        begun,
        took,
        new Decision.Waking(
            List.of(), 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO),
        List.of(),
        null,
        List.of(),
        new Decision.Outcome(Decision.Outcome.Kind.FAILED, why),
        null);
  }
}
