package dev.evenkeel.decide.run;

import dev.evenkeel.decide.effect.Effects;
import dev.evenkeel.decide.effect.ExternalState;
import dev.evenkeel.decide.guard.Finalizers;
import dev.evenkeel.decide.guard.Mishaps;
import dev.evenkeel.decide.guard.ProgressDeadline;
import dev.evenkeel.decide.lead.Horizon;
import dev.evenkeel.decide.lead.LateView;
import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.metric.ControllerMetrics;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.decide.queue.Item;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.queue.QueueLimits;
import dev.evenkeel.decide.queue.Result;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision.Outcome;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.cache.Informer;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.transport.Client;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs one controller.
 *
 * <p><b>Invariants:</b> a key is worked on once at a time. A reconcile sees every write that this
 * runner made for its key before, and every write of those who led before; as long as it cannot,
 * nothing is planned ({@link Sight}, {@link Horizon}). A plan's actions are carried out in order,
 * each after the one before it succeeded, and none before all that the plan asks for is known.
 * Every look is written down. A reconciler that misbehaves on one object is slowed down on that
 * object.
 *
 * <p><b>Threading:</b> all on its loop; the queue and the informers call from any thread.
 */
public final class ControllerRunner<T> implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(ControllerRunner.class.getName());

  /** How many keys are worked on at a time; most of that time is waiting for the server. */
  public static final int IN_FLIGHT_MAX = 32;

  /** So often a reconciler is called again within one look because it asked for something. */
  static final int ROUNDS_MAX = 5;

  /** More than this is not asked for in one round. */
  static final int QUESTIONS_MAX = 100;

  /** An object that has waited so long for its view is told of. */
  private static final Duration TELL_AFTER = Duration.ofSeconds(10);

  private final Controller<T> controller;
  private final Env env;
  private final Loop loop;
  private final WorkQueue queue;
  private final Pump pump;
  private final Follower<T> follower;
  private final Horizon horizon;
  private final Sight sight;
  private final Execution<T> execution;
  private final Effects effects;
  private final ServerReader serverReader;
  private final Finalizers finalizers;
  private final @Nullable ProgressDeadline pace;
  private final DecisionLog log;
  private final EventRecorder events;
  private final Mishaps mishaps = new Mishaps();
  private final Memory.All memories = new Memory.All();

  /** Who was told of while it waits. */
  private final Set<Key> told = new HashSet<>();

  private volatile @Nullable Busy busy;

  private ControllerRunner(
      Controller<T> controller,
      Env env,
      Client client,
      DecisionLog log,
      EventRecorder events,
      Leadership leadership,
      ControllerMetrics metrics) {
    this.events = events;
    this.controller = controller;
    this.env = env;
    this.loop = env.loop("controller-" + controller.name());
    this.queue =
        new WorkQueue(
            controller.name(),
            env.clock(),
            env.random(),
            QueueLimits.DEFAULTS,
            metrics.queue(controller.name()));
    this.follower = new Follower<>(controller, env.clock(), queue);
    this.horizon = new Horizon(env.clock(), loop, follower::caches, this::wakePump);
    this.pump = new Pump(queue, loop, IN_FLIGHT_MAX, leadership, horizon::isReached, this::begin);
    this.serverReader = new ServerReader(client);
    Controller.Means means = controller.means();
    this.effects = new Effects(controller.name(), env, loop, leadership, means.actuators());
    this.finalizers = new Finalizers(means.finalizer());
    ProgressDeadline.Deadline deadline = means.deadline();
    this.pace = deadline == null ? null : new ProgressDeadline(deadline);
    this.log = log;
    var performer = new Performer(client, controller.component(), leadership);
    this.sight =
        new Sight(
            new Sight.Tools(env.clock(), loop, queue, performer, follower::cache), new Sighted());
    this.execution =
        new Execution<>(
            new Execution.Tools<>(
                controller,
                env,
                this::onLoop,
                queue,
                performer,
                effects,
                pace,
                memories,
                mishaps,
                log,
                events,
                serverReader,
                metrics.reconciles(controller.name())),
            sight,
            pump::done);
  }

  /**
   * Begins to follow what the controller is about, and to work once all of it is there, whenever it
   * leads. While another does, caches and queue are kept up to date, so that it can begin at once.
   */
  public static <T> ControllerRunner<T> start(
      Controller<T> controller,
      Env env,
      Informers caches,
      Client client,
      DecisionLog log,
      EventRecorder events,
      Leadership leadership,
      ControllerMetrics metrics) {
    var runner = new ControllerRunner<>(controller, env, client, log, events, leadership, metrics);
    runner.follow(caches);
    return runner;
  }

  private void follow(Informers caches) {
    queue.onRoom(() -> onLoop(() -> follower.wakeAll("the queue was full")));
    var _ =
        follower
            .follow(caches)
            .thenRun(
                () ->
                    onLoop(
                        () -> {
                          follower.followOwn();
                          pump.start();
                        }));
  }

  public String name() {
    return controller.name();
  }

  /** What waits, for people and metrics. */
  public WorkQueue queue() {
    return queue;
  }

  /** How often its reconciler did what none should, for people and metrics. */
  public Mishaps mishaps() {
    return mishaps;
  }

  /** What is not planned for, because too little is seen: for people and metrics. */
  public List<LateView> waiting() {
    List<LateView> all = new ArrayList<>(sight.waiting());
    LateView term = horizon.waiting();
    if (term != null) {
      all.add(term);
    }
    return all;
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // It is closed: nobody waits for it.
    }
  }

  // ---- before a look

  private void wakePump() {
    pump.call();
  }

  /** Looks once the caches show what was written for this key before. */
  private void begin(Item item, Term term) {
    if (!isHeld(item)) {
      sight.begin(item, term);
    }
  }

  /** Goes on with keys, whether all is seen or not. */
  private final class Sighted implements Sight.Then {

    @Override
    public void look(Item item, Term term) {
      if (!told.isEmpty()) {
        told.remove(item.key());
      }
      ControllerRunner.this.look(item, term);
    }

    @Override
    public void blind(Item item, Term term, LateView waiting) {
      Instant now = env.clock().now();
      boolean tell = waiting.lasted(now).compareTo(TELL_AFTER) >= 0 && told.add(item.key());
      execution.blind(newLook(item, term), waiting.text(now), tell);
    }
  }

  /** A wake-up ends no hold: those who go round in circles are woken by what they do. */
  private boolean isHeld(Item item) {
    if (memories.isEmpty()) {
      return false;
    }
    Cached<T> object = current(item.key());
    Memory memory = memories.find(item.key(), object);
    Duration left =
        memory == null
            ? null
            : memory.loopGuard.held(ProgressDeadline.generation(object), env.clock().now());
    if (left == null) {
      return false;
    }
    queue.done(item, new Result.Again(left, "it goes round in circles"));
    pump.done();
    return true;
  }

  private @Nullable Cached<T> current(Key key) {
    Informer<T> own = follower.cache(controller.kind());
    return own == null ? null : own.snapshot().find(key.namespace(), key.name());
  }

  // ---- a look

  private void look(Item item, Term term) {
    plan(newLook(item, term));
  }

  private ReconcileAttempt<T> newLook(Item item, Term term) {
    Cached<T> object = current(item.key());
    Memory memory = memories.find(item.key(), object);
    if (object == null) {
      memories.forget(item.key());
    } else if (memory == null && !controller.means().actuators().isEmpty()) {
      memory = memories.of(item.key(), object);
    }
    var view = new CacheView(follower::cache, env.clock().now(), memory);
    return new ReconcileAttempt<>(
        item,
        term,
        object,
        memory,
        view,
        object != null && finalizers.isEnding(object),
        env.clock().nanoTime());
  }

  private void plan(ReconcileAttempt<T> look) {
    busy =
        new Busy(look.item.key(), look.view.now(), env.clock().nanoTime(), Thread.currentThread());
    try {
      look.plan = planned(look);
      look.actions = look.plan.actions();
    } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
      LOG.log(
          System.Logger.Level.ERROR,
          controller.name() + " failed on " + look.item.key() + ", and will be asked again",
          e);
      mishaps.count(Mishaps.Kind.THREW);
      String why = "the reconciler failed: " + e;
      execution.warn(look, "ReconcilerFailed", why);
      execution.fail(look, new Outcome(Outcome.Kind.FAILED, why), new Result.Failed(why));
      return;
    } finally {
      busy = null;
    }
    if (!asks(look)) {
      prepare(look);
      execution.carryOut(look);
    }
  }

  private Plan planned(ReconcileAttempt<T> look) {
    Cached<T> object = look.object;
    if (object == null) {
      Key key = look.item.key();
      return controller.reconciler().gone(key.namespace(), key.name(), look.view);
    }
    if (!look.ending) {
      return controller.reconciler().reconcile(object, look.view);
    }
    return finalizers.isOn(object)
        ? controller.reconciler().cleanUp(object, look.view)
        : Plan.empty();
  }

  /** Finds out what a plan asks for and plans anew; nothing if there is nothing to find out. */
  private boolean asks(ReconcileAttempt<T> look) {
    List<Plan.Question> questions = look.view.unanswered(look.plan);
    Memory memory = look.memory;
    Set<ExternalState.Resource> things =
        memory == null ? Set.of() : look.view.unknown(look.actions);
    if (questions.isEmpty() && things.isEmpty()) {
      return false;
    }
    if (look.rounds == ROUNDS_MAX || questions.size() + things.size() > QUESTIONS_MAX) {
      mishaps.count(Mishaps.Kind.ASKED_TOO_MUCH);
      String why = "it asks for more, after " + look.rounds + " rounds: " + questions + things;
      execution.fail(look, new Outcome(Outcome.Kind.FAILED, why), new Result.Failed(why));
      return true;
    }
    look.rounds++;
    List<CompletableFuture<?>> found = new ArrayList<>();
    for (Plan.Question question : questions) {
      found.add(
          serverReader
              .read(question)
              .thenAccept(object -> onLoop(() -> look.view.answer(question, object))));
    }
    if (memory != null) {
      things.forEach(thing -> found.add(effects.find(memory.external, thing)));
    }
    var _ =
        CompletableFuture.allOf(found.toArray(new CompletableFuture<?>[0]))
            .whenComplete((_, failure) -> onLoop(() -> asked(look, failure)));
    return true;
  }

  private void asked(ReconcileAttempt<T> look, @Nullable Throwable failure) {
    if (failure == null) {
      plan(look);
      return;
    }
    String why = "what it asks for cannot be found out: " + Failures.text(failure);
    execution.fail(look, new Outcome(Outcome.Kind.WAITING, why), new Result.Failed(why));
  }

  /** Puts in what the runtime has to do with the object itself. */
  private void prepare(ReconcileAttempt<T> look) {
    Cached<T> object = look.object;
    if (object == null) {
      return;
    }
    Memory memory = look.memory;
    boolean clean = look.ending && look.plan.isClean();
    if (pace != null) {
      look.settles = look.ending ? clean : pace.isSettledBy(look.plan, object);
      ProgressDeadline.Begun begun =
          ProgressDeadline.begun(memory == null ? null : memory.begun, object, look.view.now());
      if (!pace.left(object, begun, look.view.now()).isPositive()
          || (look.settles && pace.isWaitingSaid(object))) {
        look.saysOverdue = pace.say(look.plan, object, look.view, begun, look.settles);
        look.actions = look.plan.actions();
      }
    }
    if (clean && finalizers.isOn(object)) {
      look.actions = new ArrayList<>(look.actions);
      look.actions.add(finalizers.removing(object));
    } else if (!look.ending && finalizers.isNeededFor(look.actions, object)) {
      look.actions = List.of(finalizers.adding(object));
      look.marks = true;
    }
  }

  // ---- a reconciler that does not return

  /** What the loop is busy with. */
  private record Busy(Key key, Instant since, long sinceNanos, Thread thread) {}

  private @Nullable Busy reported;

  /** Reports a reconcile that takes longer than this, once; on the watchdog's loop. */
  void checkBusy(Duration max) {
    Busy now = busy;
    if (now == null
        || now.equals(reported)
        || env.clock().nanoTime() - now.sinceNanos() < max.toNanos()) {
      return;
    }
    reported = now;
    StackTraceElement[] stack = now.thread().getStackTrace();
    String why =
        "the reconciler has not returned for "
            + max.toSeconds()
            + " s"
            + (stack.length == 0 ? "" : ", at " + stack[0]);
    LOG.log(System.Logger.Level.ERROR, controller.name() + " on " + now.key() + ": " + why);
    log.write(Records.stuck(log.nextId(), controller, now.key(), now.since(), max, why));
    Cached<T> object = current(now.key());
    if (object != null) {
      events.tell(
          object,
          controller.component(),
          new PlannedEvent(PlannedEvent.Type.WARNING, "ReconcilerStuck", why));
    }
    mishaps.count(Mishaps.Kind.STUCK);
  }

  @Override
  public void close() {
    onLoop(
        () -> {
          pump.stop();
          follower.close();
        });
    queue.drain();
    Busy now = busy;
    if (now != null && now.equals(reported)) {
      LOG.log(
          System.Logger.Level.WARNING,
          controller.name() + " is left to itself: its reconciler does not return");
      return;
    }
    loop.close();
  }
}
