package dev.evenkeel.decide.run;

import dev.evenkeel.decide.effect.Effects;
import dev.evenkeel.decide.guard.Mishaps;
import dev.evenkeel.decide.guard.ProgressDeadline;
import dev.evenkeel.decide.metric.ReconcileMeter;
import dev.evenkeel.decide.plan.Action;
import dev.evenkeel.decide.plan.Condition;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.decide.plan.Refusal;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.queue.Priority;
import dev.evenkeel.decide.queue.Result;
import dev.evenkeel.decide.queue.Wake;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision.ActionRecord;
import dev.evenkeel.explain.record.Decision.Outcome;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.observe.object.Cached;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Carries plans out, one action at a time, and draws the conclusions: what is remembered of an
 * object, who is told, when it is looked at again.
 *
 * <p><b>Invariants:</b> an action is begun after the one before it succeeded. Every look ends once,
 * with a record.
 *
 * <p><b>Threading:</b> owned by the runner's loop.
 */
final class Execution<T> {

  /** A longer plan is carried out up to here and then made anew. */
  static final int ACTIONS_MAX = 500;

  /** Who asks to be called again sooner than this does so at once. */
  private static final Duration AT_ONCE = Duration.ofMillis(100);

  /**
   * What it works with.
   *
   * @param onLoop runs on the runner's loop, or not at all once that is closed
   * @param pace null without a deadline
   */
  record Tools<T>(
      Controller<T> controller,
      Env env,
      Executor onLoop,
      WorkQueue queue,
      Performer performer,
      Effects effects,
      @Nullable ProgressDeadline pace,
      Memory.All memories,
      Mishaps mishaps,
      DecisionLog log,
      EventRecorder events,
      ServerReader serverReader,
      ReconcileMeter meter) {}

  private final Controller<T> controller;
  private final Env env;
  private final Executor onLoop;
  private final WorkQueue queue;
  private final Performer performer;
  private final Effects effects;
  private final @Nullable ProgressDeadline pace;
  private final Memory.All memories;
  private final Mishaps mishaps;
  private final DecisionLog log;
  private final EventRecorder events;
  private final ServerReader serverReader;
  private final ReconcileMeter meter;
  private final DrawnNames names;
  private final Sight sight;
  private final Runnable ended;

  /**
   * @param sight is told what must be seen
   * @param ended called when a look has ended
   */
  Execution(Tools<T> tools, Sight sight, Runnable ended) {
    this.controller = tools.controller();
    this.env = tools.env();
    this.onLoop = tools.onLoop();
    this.queue = tools.queue();
    this.performer = tools.performer();
    this.effects = tools.effects();
    this.pace = tools.pace();
    this.memories = tools.memories();
    this.mishaps = tools.mishaps();
    this.log = tools.log();
    this.events = tools.events();
    this.serverReader = tools.serverReader();
    this.meter = tools.meter();
    this.names = new DrawnNames(env.random());
    this.sight = sight;
    this.ended = ended;
  }

  /** Carries out what a look has planned. */
  void carryOut(ReconcileAttempt<T> look) {
    perform(look, 0);
  }

  private void perform(ReconcileAttempt<T> look, int next) {
    if (next == look.actions.size() || next == ACTIONS_MAX) {
      finish(look, next < look.actions.size());
      return;
    }
    Action action = look.actions.get(next);
    if (action instanceof Action.Create create
        && create.name().isEmpty()
        && !create.generateName().isEmpty()) {
      create(look, next, create, 1);
      return;
    }
    CompletableFuture<Performer.Done> doing =
        action instanceof Action.Effect effect
            ? effects
                .perform(effect, look.memory == null ? null : look.memory.external, look.term)
                .thenApply(
                    done ->
                        new Performer.Done(
                            done.result(),
                            "",
                            0,
                            done.detail(),
                            null,
                            Performer.Done.Shows.VERSION))
            : performer.perform(action, look.term);
    var _ = doing.thenAccept(done -> onLoop.execute(() -> performed(look, next, action, done)));
  }

  /**
   * Creates under a name that is drawn here, or under the one of a create that was not answered: if
   * that one arrived, or does so late, there is still one object.
   */
  private void create(ReconcileAttempt<T> look, int next, Action.Create create, int draws) {
    Key key = look.item.key();
    String before = sight.nameOf(key, create);
    String name = before == null ? names.from(create.generateName()) : before;
    Action.Create named = create.named(name);
    var _ =
        performer
            .perform(named, look.term, before == null)
            .thenAccept(
                done ->
                    onLoop.execute(
                        () -> {
                          sight.drew(
                              key, create, name, done.result() != ActionRecord.Result.UNKNOWN);
                          if (done.isNameTaken() && draws < DrawnNames.DRAWS_MAX) {
                            create(look, next, create, draws + 1);
                          } else {
                            performed(look, next, named, done);
                          }
                        }));
  }

  /**
   * @param action as it was sent, with its name
   */
  private void performed(ReconcileAttempt<T> look, int at, Action action, Performer.Done done) {
    note(look, action, done);
    tellOf(look, at, done);
    switch (done.result()) {
      case DONE, UNCHANGED, SKIPPED -> {
        if (look.changedThings) {
          // The rest was planned on how it was before.
          finish(look, false);
        } else {
          perform(look, at + 1);
        }
      }
      case CONFLICT ->
          end(
              look,
              new Outcome(Outcome.Kind.CONFLICT, done.detail()),
              action instanceof Action.Create
                  // Somebody else's object has the name: looking again at once changes nothing.
                  ? new Result.Failed("the name is taken: " + done.detail())
                  : new Result.Again(Duration.ZERO, "others were faster: " + done.detail()));
      case UNKNOWN ->
          fail(
              look,
              new Outcome(Outcome.Kind.WAITING, done.detail()),
              new Result.Failed("the outcome is not known: " + done.detail()));
      case REFUSED -> {
        if (look.object != null && (action instanceof Action.Effect || done.isForGood())) {
          memories.of(look.item.key(), look.object).refusal = refusal(action, done);
        }
        fail(look, new Outcome(Outcome.Kind.FAILED, done.detail()), retry(done));
      }
    }
  }

  private void note(ReconcileAttempt<T> look, Action action, Performer.Done done) {
    if (action instanceof Action.Effect effect) {
      look.done.add(done.record(action, "operation " + Effects.id(controller.name(), effect)));
      look.changedThings |= done.result() == ActionRecord.Result.DONE;
    } else {
      look.done.add(done.record(action));
    }
    sight.did(look.item.key(), action, done);
    if (look.isItself(action)) {
      look.ownVersion = done.version();
    }
  }

  private static Refusal refusal(Action action, Performer.Done done) {
    Status status = done.status();
    return new Refusal(
        action.verb(),
        action.kind(),
        done.name(),
        status == null ? "" : status.reason(),
        done.detail());
  }

  private static Result retry(Performer.Done done) {
    Status status = done.status();
    if (status != null && done.isOverload()) {
      Status.Details details = status.details();
      return new Result.Overloaded(
          WorkQueue.SERVER, Duration.ofSeconds(details == null ? 0 : details.retryAfterSeconds()));
    }
    return new Result.Failed(done.detail());
  }

  private void tellOf(ReconcileAttempt<T> look, int at, Performer.Done done) {
    PlannedEvent told = look.marks ? null : look.plan.toldOf(at);
    if (told == null || look.object == null) {
      return;
    }
    switch (done.result()) {
      case DONE -> events.tell(look.object, controller.component(), told.about(done.name()));
      case REFUSED ->
          events.tell(
              look.object,
              controller.component(),
              told.refused(look.actions.get(at).verb(), done.detail()));
      case UNCHANGED, CONFLICT, UNKNOWN, SKIPPED -> {}
    }
  }

  void warn(ReconcileAttempt<T> look, String reason, String message) {
    if (look.object != null) {
      events.tell(
          look.object,
          controller.component(),
          new PlannedEvent(PlannedEvent.Type.WARNING, reason, message));
    }
  }

  // ---- how it ends

  /** All of it was carried out, or as much as one look may. */
  private void finish(ReconcileAttempt<T> look, boolean cut) {
    Plan.Again again = look.plan.again();
    Result result;
    if (cut) {
      mishaps.count(Mishaps.Kind.PLANNED_TOO_MUCH);
      result = new Result.Again(Duration.ZERO, "the plan was longer than " + ACTIONS_MAX);
    } else if (look.marks) {
      result = new Result.Again(Duration.ZERO, "it can be acted for, now that it is marked");
    } else if (look.changedThings) {
      result = new Result.Again(Duration.ZERO, "what was changed outside is to be seen");
    } else if (again != null) {
      result = new Result.Again(again.after(), again.why());
    } else {
      result = new Result.Settled();
    }
    if (look.object != null && !look.marks && !look.changedThings) {
      look.plan.told().forEach(told -> events.tell(look.object, controller.component(), told));
      if (look.saysOverdue) {
        overdue(look);
      }
    }
    Memory memory = look.memory;
    if (memory != null) {
      memory.refusal = null;
    }
    boolean whole = !cut && !look.marks && !look.changedThings;
    if (whole) {
      sight.carriedOut(look.item.key());
    }
    pace(look, whole && look.settles, "");
    Outcome.Kind idle = look.object == null ? Outcome.Kind.GONE : Outcome.Kind.SETTLED;
    Outcome outcome =
        new Outcome(look.acted() ? Outcome.Kind.ACTED : idle, cut ? "the plan was cut" : "");
    Duration hold = turn(look, result);
    if (hold != null) {
      mishaps.count(Mishaps.Kind.LOOPED);
      String why = "it goes round in circles, and is left alone for " + hold.toSeconds() + " s";
      warn(look, "ReconcilerLoops", why);
      outcome = new Outcome(Outcome.Kind.FAILED, why);
      result = new Result.Again(hold, why);
    }
    end(look, outcome, result);
  }

  /** How long to leave the object alone, because nothing comes of looking at it. */
  private @Nullable Duration turn(ReconcileAttempt<T> look, Result result) {
    Cached<T> object = look.object;
    if (object == null) {
      return null;
    }
    boolean atOnce =
        result instanceof Result.Again(Duration after, String _) && after.compareTo(AT_ONCE) < 0;
    if (!look.acted() && !atOnce) {
      if (look.memory != null) {
        look.memory.loopGuard.rested(env.clock().now());
      }
      return null;
    }
    Memory memory = memories.of(look.item.key(), object);
    boolean wokenByItself = look.isWokenByItself(memory);
    if (look.ownVersion > 0) {
      memory.ownVersion = look.ownVersion;
    }
    return memory.loopGuard.turned(
        look.generation(), look.turn(), wokenByItself, env.clock().now());
  }

  /** Ends a look that came to nothing. */
  void fail(ReconcileAttempt<T> look, Outcome outcome, Result result) {
    pace(look, false, outcome.detail());
    Cached<T> object = look.object;
    Memory memory = memories.find(look.item.key(), object);
    ProgressDeadline.Begun begun = memory == null ? null : memory.begun;
    if (pace == null
        || object == null
        || begun == null
        || pace.left(object, begun, env.clock().now()).isPositive()) {
      end(look, outcome, result);
      return;
    }
    List<Action> complaint = pace.complaint(object, look.view, begun).actions();
    if (complaint.isEmpty()) {
      end(look, outcome, result);
      return;
    }
    var _ =
        performer
            .perform(complaint.getFirst(), look.term)
            .thenAccept(
                done ->
                    onLoop.execute(
                        () -> {
                          note(look, complaint.getFirst(), done);
                          if (done.result() == ActionRecord.Result.DONE) {
                            overdue(look);
                          }
                          end(look, outcome, result);
                        }));
  }

  /**
   * Ends a look for which too little is seen: nothing is planned. Whoever waits for long is told
   * so; the object's condition too, if the controller has one that says how far it is. That is
   * written on the object as the server has it, and on nothing that a cache shows.
   *
   * @param why what is waited for
   * @param tell whether it is time to tell it
   */
  void blind(ReconcileAttempt<T> look, String why, boolean tell) {
    var outcome = new Outcome(Outcome.Kind.WAITING, why);
    var result = new Result.Failed(why);
    Cached<T> object = look.object;
    if (!tell || object == null) {
      end(look, outcome, result);
      return;
    }
    warn(look, Condition.WAITING_FOR_VIEW, why);
    if (pace == null) {
      end(look, outcome, result);
      return;
    }
    var _ =
        serverReader
            .read(new Plan.Question(object.kind(), object.namespace(), object.name()))
            .exceptionally(_ -> null)
            .thenAccept(
                newest ->
                    onLoop.execute(
                        () -> {
                          List<Action> saying =
                              newest == null || !newest.uid().equals(object.uid())
                                  ? List.of()
                                  : pace.waiting(newest, look.view, why).actions();
                          say(look, saying, outcome, result);
                        }));
  }

  private void say(ReconcileAttempt<T> look, List<Action> saying, Outcome outcome, Result result) {
    if (saying.isEmpty()) {
      end(look, outcome, result);
      return;
    }
    var _ =
        performer
            .perform(saying.getFirst(), look.term)
            .thenAccept(
                done ->
                    onLoop.execute(
                        () -> {
                          note(look, saying.getFirst(), done);
                          end(look, outcome, result);
                        }));
  }

  private void overdue(ReconcileAttempt<T> look) {
    mishaps.count(Mishaps.Kind.OVERDUE);
    warn(look, Condition.DEADLINE_EXCEEDED, "the work on it takes longer than it may, and goes on");
  }

  /** Counts the time of work that is not done yet, and has the object looked at when it is over. */
  private void pace(ReconcileAttempt<T> look, boolean settled, String failure) {
    Cached<T> object = look.object;
    if (pace == null || object == null) {
      return;
    }
    if (settled) {
      Memory memory = look.memory;
      if (memory != null) {
        memory.begun = null;
      }
      return;
    }
    Memory memory = memories.of(look.item.key(), object);
    ProgressDeadline.Begun begun = ProgressDeadline.begun(memory.begun, object, look.view.now());
    memory.begun = failure.isEmpty() ? begun : begun.failed(failure);
    Duration left = pace.left(object, begun, env.clock().now());
    if (left.isPositive()) {
      queue.addAfter(
          look.item.key(), left, Priority.NORMAL, new Wake(Wake.Kind.TIMER, "its deadline"));
    }
  }

  private void end(ReconcileAttempt<T> look, Outcome outcome, Result result) {
    queue.done(look.item, result);
    log.write(look.decision(log.nextId(), controller, outcome, result, env.clock()));
    meter.ended(look.nanos(env.clock()), result, outcome.kind());
    ended.run();
  }
}
