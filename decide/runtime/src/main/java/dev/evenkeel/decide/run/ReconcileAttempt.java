package dev.evenkeel.decide.run;

import dev.evenkeel.decide.guard.ProgressDeadline;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.plan.Action;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.queue.Item;
import dev.evenkeel.decide.queue.Result;
import dev.evenkeel.decide.queue.Wake;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.Decision.ActionRecord;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.observe.object.Cached;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One look at one object, from the taking of its key to the giving back.
 *
 * <p><b>Threading:</b> owned by the runner's loop.
 */
final class ReconcileAttempt<T> {

  final Item item;
  final Term term;
  final @Nullable Cached<T> object;
  final @Nullable Memory memory;
  final CacheView view;

  /** It is being deleted, and is cleaned up before it goes. */
  final boolean ending;

  private final long begunNanos;
  final List<ActionRecord> done = new ArrayList<>();
  Plan plan = Plan.empty();
  List<Action> actions = List.of();
  int rounds;

  /** Nothing is done but that the object gets its finalizer. */
  boolean marks;

  /** Something outside of the API was changed, and the plan was made before. */
  boolean changedThings;

  /** Nothing is left to do once the plan is carried out. */
  boolean settles = true;

  /** The plan says for the first time that it takes too long. */
  boolean saysOverdue;

  /** The version that the object itself got; 0 if it was not written. */
  long ownVersion;

  ReconcileAttempt(
      Item item,
      Term term,
      @Nullable Cached<T> object,
      @Nullable Memory memory,
      CacheView view,
      boolean ending,
      long begunNanos) {
    this.item = item;
    this.term = term;
    this.object = object;
    this.memory = memory;
    this.view = view;
    this.ending = ending;
    this.begunNanos = begunNanos;
  }

  /** How long it has taken. */
  long nanos(Clock clock) {
    return clock.nanoTime() - begunNanos;
  }

  long generation() {
    return ProgressDeadline.generation(object);
  }

  boolean acted() {
    for (ActionRecord each : done) {
      if (each.result() == ActionRecord.Result.DONE) {
        return true;
      }
    }
    return false;
  }

  /** Whether an action writes the object itself. */
  boolean isItself(Action action) {
    return object != null
        && action instanceof Action.Patch patch
        && patch.kind().equals(object.kind())
        && patch.namespace().equals(object.namespace())
        && patch.name().equals(object.name());
  }

  /** Whether nothing woke it but what it wrote itself when it was last looked at. */
  boolean isWokenByItself(Memory known) {
    return object != null
        && object.version() == known.ownVersion
        && item.wakes().stream()
            .allMatch(
                wake ->
                    wake.kind() == Wake.Kind.OBJECT
                        || wake.kind() == Wake.Kind.TIMER
                        || wake.kind() == Wake.Kind.RETRY);
  }

  /** What was done on which findings, as a number; versions do not count. */
  int turn() {
    int turn = view.findings();
    for (ActionRecord each : done) {
      turn = 31 * turn + each.result().name().hashCode();
    }
    for (Action action : actions) {
      turn = 31 * turn + action.target(action.name()).hashCode();
      turn = 31 * turn + action.because().hashCode();
      turn =
          31 * turn
              + switch (action) {
                case Action.Create create -> create.object().hashCode();
                case Action.Apply apply -> apply.object().hashCode();
                case Action.Patch patch -> patch.change().hashCode();
                case Action.Delete delete -> delete.uid().hashCode();
                case Action.Effect effect -> effect.verb().hashCode();
              };
    }
    return turn;
  }

  Decision decision(
      String id, Controller<T> controller, Decision.Outcome outcome, Result result, Clock clock) {
    return new Decision(
        id,
        controller.name(),
        new Decision.Subject(
            controller.kind().gvk().apiVersion(),
            controller.kind().gvk().kind(),
            item.key().namespace(),
            item.key().name(),
            object == null ? "" : object.uid(),
            generation(),
            object == null ? 0 : object.version()),
        view.now(),
        Duration.ofNanos(nanos(clock)),
        Records.waking(item),
        view.reads(),
        null,
        done,
        outcome,
        Records.next(result, clock.now()));
  }
}
