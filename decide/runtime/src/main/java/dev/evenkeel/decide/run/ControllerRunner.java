package dev.evenkeel.decide.run;

import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.plan.Action;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Told;
import dev.evenkeel.decide.queue.Item;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.queue.Priority;
import dev.evenkeel.decide.queue.QueueLimits;
import dev.evenkeel.decide.queue.Result;
import dev.evenkeel.decide.queue.Wake;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.Decision.ActionRecord;
import dev.evenkeel.explain.record.Decision.Outcome;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.cache.Change;
import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.cache.Indexes;
import dev.evenkeel.observe.cache.Informer;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Owner;
import dev.evenkeel.observe.transport.Client;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs one controller.
 *
 * <p><b>Invariants:</b> a key is worked on once at a time. A reconcile sees every write that this
 * runner made for its key before. A plan's actions are carried out in order, each after the one
 * before it succeeded. Every look is written down.
 *
 * <p><b>Threading:</b> all on its loop; the queue and the informers call from any thread.
 */
public final class ControllerRunner<T> implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(ControllerRunner.class.getName());

  /** How many keys are worked on at a time; most of that time is waiting for the server. */
  private static final int IN_FLIGHT_MAX = 32;

  /** A longer plan is carried out up to here and then made anew. */
  static final int ACTIONS_MAX = 500;

  /** A cache that does not show a write after this long is not waited for any more. */
  private static final Duration OWN_WRITES_MAX = Duration.ofSeconds(10);

  private final Controller<T> controller;
  private final Env env;
  private final Loop loop;
  private final WorkQueue queue;
  private final Performer performer;
  private final DecisionLog log;
  private final EventRecorder events;
  private final Map<Kind<?>, Informer<?>> informers = new LinkedHashMap<>();
  private final Map<Key, Map<Kind<?>, Long>> ownWrites = new HashMap<>();
  private final List<AutoCloseable> listening = new ArrayList<>();
  private final Pump pump;

  private ControllerRunner(
      Controller<T> controller,
      Env env,
      Client client,
      DecisionLog log,
      EventRecorder events,
      Leadership leadership) {
    this.events = events;
    this.controller = controller;
    this.env = env;
    this.loop = env.loop("controller-" + controller.name());
    this.queue = new WorkQueue(controller.name(), env.clock(), env.random(), QueueLimits.DEFAULTS);
    this.pump = new Pump(queue, loop, IN_FLIGHT_MAX, leadership, this::begin);
    this.performer = new Performer(client, component(), leadership);
    this.log = log;
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
      Leadership leadership) {
    var runner = new ControllerRunner<>(controller, env, client, log, events, leadership);
    runner.follow(caches);
    return runner;
  }

  public String name() {
    return controller.name();
  }

  /** As it signs what it writes and tells. */
  private String component() {
    return controller.name() + "-controller";
  }

  /** What waits, for people and metrics. */
  public WorkQueue queue() {
    return queue;
  }

  // ---- waking

  private void follow(Informers caches) {
    queue.onRoom(() -> onLoop(this::wakeAll));
    Informer<T> own = informer(caches, controller.kind());
    List<CompletableFuture<?>> synced = new ArrayList<>();
    for (Controller.Indexed<?> indexed : controller.indexes()) {
      index(caches, indexed);
    }
    for (Kind<?> kind : controller.owned()) {
      followOwned(caches, kind);
    }
    for (Controller.Watch<?> watch : controller.others()) {
      followOther(caches, watch);
    }
    informers.values().forEach(informer -> synced.add(informer.synced()));
    var _ =
        CompletableFuture.allOf(synced.toArray(new CompletableFuture<?>[0]))
            .thenRun(
                () ->
                    onLoop(
                        () -> {
                          listening.add(own.listen(change -> wake(change, Wake.Kind.OBJECT)));
                          pump.start();
                        }));
  }

  @SuppressWarnings("unchecked") // put there under its own kind
  private <S> Informer<S> informer(Informers caches, Kind<S> kind) {
    return (Informer<S>)
        informers.computeIfAbsent(
            kind, _ -> caches.informer(kind, controller.scopes().getOrDefault(kind, Scope.ALL)));
  }

  private <S> void index(Informers caches, Controller.Indexed<S> indexed) {
    informer(caches, indexed.kind()).index(indexed.index());
  }

  private <S> void followOwned(Informers caches, Kind<S> kind) {
    Index<S> owners = Indexes.owner();
    Informer<S> informer = informer(caches, kind).index(owners);
    listening.add(
        informer.listen(
            change -> {
              wakeOwners(change.before(), change);
              wakeOwners(change.after(), change);
            }));
  }

  private <S> void wakeOwners(@Nullable Cached<S> object, Change<S> change) {
    if (object == null) {
      return;
    }
    for (Owner owner : object.owners()) {
      if (owner.kind().equals(controller.kind().gvk().kind())
          && owner.apiVersion().equals(controller.kind().gvk().apiVersion())) {
        String namespace = controller.kind().namespaced() ? object.namespace() : "";
        queue.add(
            new Key(namespace, owner.name()),
            Priority.NORMAL,
            new Wake(Wake.Kind.OWNED, text(change)));
      }
    }
  }

  private <S> void followOther(Informers caches, Controller.Watch<S> watch) {
    listening.add(
        informer(caches, watch.kind())
            .listen(
                change -> {
                  wakeConcerned(watch, change.before(), change);
                  wakeConcerned(watch, change.after(), change);
                }));
  }

  private <S> void wakeConcerned(
      Controller.Watch<S> watch, @Nullable Cached<S> object, Change<S> change) {
    if (object == null) {
      return;
    }
    for (Key key : watch.concerns().of(object, new CacheView(this::cache, env.clock().now()))) {
      queue.add(key, Priority.NORMAL, new Wake(Wake.Kind.REFERRED, text(change)));
    }
  }

  private void wake(Change<T> change, Wake.Kind kind) {
    Cached<T> object = change.newest();
    queue.add(
        new Key(object.namespace(), object.name()), Priority.NORMAL, new Wake(kind, text(change)));
  }

  private void wakeAll() {
    Informer<?> own = informers.get(controller.kind());
    if (own == null) {
      return;
    }
    for (Cached<?> object : own.snapshot().all()) {
      queue.add(
          new Key(object.namespace(), object.name()),
          Priority.LOW,
          new Wake(Wake.Kind.RESYNC, "the queue was full"));
    }
  }

  private static String text(Change<?> change) {
    String what =
        switch (change) {
          case Change.Added<?> _ -> "added";
          case Change.Modified<?> _ -> "changed";
          case Change.Deleted<?> _ -> "gone";
        };
    return change.newest().kind().gvk().kind() + "/" + change.newest().name() + " " + what;
  }

  // ---- working

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // It is closed: nobody waits for it.
    }
  }

  /** Waits until the caches show what was written for this key before. */
  private void begin(Item item, Term term) {
    Map<Kind<?>, Long> writes = ownWrites.remove(item.key());
    List<CompletableFuture<?>> unseen = new ArrayList<>(0);
    if (writes != null) {
      writes.forEach(
          (kind, version) -> {
            Informer<?> informer = informers.get(kind);
            if (informer != null && informer.snapshot().version() < version) {
              unseen.add(informer.awaitVersion(version));
            }
          });
    }
    if (unseen.isEmpty()) {
      look(item, term);
      return;
    }
    var once = new AtomicBoolean();
    Runnable go =
        () -> {
          if (once.compareAndSet(false, true)) {
            look(item, term);
          }
        };
    Loop.Timer enough = loop.runLater(OWN_WRITES_MAX, go);
    var _ =
        CompletableFuture.allOf(unseen.toArray(new CompletableFuture<?>[0]))
            .whenComplete(
                (_, _) ->
                    onLoop(
                        () -> {
                          enough.cancel();
                          go.run();
                        }));
  }

  private final class Look {
    private final Item item;
    private final Term term;
    private final @Nullable Cached<T> object;
    private final CacheView view;
    private final Instant begun;
    private final long begunNanos;
    private final List<ActionRecord> done = new ArrayList<>();
    private Plan plan = Plan.empty();

    Look(Item item, Term term, @Nullable Cached<T> object) {
      this.item = item;
      this.term = term;
      this.object = object;
      this.begun = env.clock().now();
      this.begunNanos = env.clock().nanoTime();
      this.view = new CacheView(ControllerRunner.this::cache, begun);
    }
  }

  @SuppressWarnings("unchecked") // put there under its own kind
  private <S> @Nullable Informer<S> cache(Kind<S> kind) {
    return (Informer<S>) informers.get(kind);
  }

  private void look(Item item, Term term) {
    Informer<T> own = cache(controller.kind());
    Cached<T> object =
        own == null ? null : own.snapshot().find(item.key().namespace(), item.key().name());
    var look = new Look(item, term, object);
    try {
      look.plan =
          object == null
              ? controller.reconciler().gone(item.key().namespace(), item.key().name(), look.view)
              : controller.reconciler().reconcile(object, look.view);
    } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
      LOG.log(
          System.Logger.Level.ERROR,
          controller.name() + " failed on " + item.key() + ", and will be asked again",
          e);
      String why = "the reconciler failed: " + e;
      end(look, new Outcome(Outcome.Kind.FAILED, why), new Result.Failed(why));
      return;
    }
    perform(look, look.plan.actions(), 0);
  }

  private void perform(Look look, List<Action> actions, int next) {
    if (next == actions.size() || next == ACTIONS_MAX) {
      finish(look, next < actions.size());
      return;
    }
    Action action = actions.get(next);
    var _ =
        performer
            .perform(action, look.term)
            .thenAccept(done -> onLoop(() -> performed(look, actions, next, done)));
  }

  private void performed(Look look, List<Action> actions, int at, Performer.Done done) {
    Action action = actions.get(at);
    look.done.add(done.record(action));
    tellOf(look, at, done);
    if (done.version() > 0) {
      ownWrites
          .computeIfAbsent(look.item.key(), _ -> new HashMap<>(2))
          .merge(action.kind(), done.version(), Math::max);
    }
    switch (done.result()) {
      case DONE, UNCHANGED, SKIPPED -> perform(look, actions, at + 1);
      case CONFLICT ->
          end(
              look,
              new Outcome(Outcome.Kind.CONFLICT, done.detail()),
              action instanceof Action.Create
                  // Somebody else's object has the name: looking again at once changes nothing.
                  ? new Result.Failed("the name is taken: " + done.detail())
                  : new Result.Again(Duration.ZERO, "others were faster: " + done.detail()));
      case UNKNOWN ->
          end(
              look,
              new Outcome(Outcome.Kind.WAITING, done.detail()),
              new Result.Failed("the outcome is not known: " + done.detail()));
      case REFUSED -> end(look, new Outcome(Outcome.Kind.FAILED, done.detail()), refusal(done));
    }
  }

  private void tellOf(Look look, int at, Performer.Done done) {
    Told told = look.plan.toldOf(at);
    if (told == null || look.object == null) {
      return;
    }
    switch (done.result()) {
      case DONE -> events.tell(look.object, component(), told.about(done.name()));
      case REFUSED ->
          events.tell(
              look.object,
              component(),
              told.refused(look.plan.actions().get(at).verb(), done.detail()));
      case UNCHANGED, CONFLICT, UNKNOWN, SKIPPED -> {}
    }
  }

  private static Result refusal(Performer.Done done) {
    Status status = done.status();
    if (status != null && (status.code() == 429 || status.code() == 503)) {
      Status.Details details = status.details();
      return new Result.Overloaded(
          WorkQueue.SERVER, Duration.ofSeconds(details == null ? 0 : details.retryAfterSeconds()));
    }
    return new Result.Failed(done.detail());
  }

  private void finish(Look look, boolean cut) {
    Plan.Again again = look.plan.again();
    Result result;
    if (cut) {
      result = new Result.Again(Duration.ZERO, "the plan was longer than " + ACTIONS_MAX);
    } else if (again != null) {
      result = new Result.Again(again.after(), again.why());
    } else {
      result = new Result.Settled();
    }
    if (look.object != null) {
      look.plan.told().forEach(told -> events.tell(look.object, component(), told));
    }
    Outcome.Kind idle = look.object == null ? Outcome.Kind.GONE : Outcome.Kind.SETTLED;
    Outcome.Kind kind = look.done.isEmpty() ? idle : Outcome.Kind.ACTED;
    end(look, new Outcome(kind, ""), result);
  }

  private void end(Look look, Outcome outcome, Result result) {
    queue.done(look.item, result);
    log.write(decision(look, outcome, result));
    pump.done();
  }

  private Decision decision(Look look, Outcome outcome, Result result) {
    Item item = look.item;
    Cached<T> object = look.object;
    return new Decision(
        log.nextId(),
        controller.name(),
        new Decision.Subject(
            controller.kind().gvk().apiVersion(),
            controller.kind().gvk().kind(),
            item.key().namespace(),
            item.key().name(),
            object == null ? "" : object.uid(),
            generation(object),
            object == null ? 0 : object.version()),
        look.begun,
        Duration.ofNanos(env.clock().nanoTime() - look.begunNanos),
        Records.waking(item),
        look.view.reads(),
        null,
        look.done,
        outcome,
        Records.next(result, env.clock().now()));
  }

  private static long generation(@Nullable Cached<?> object) {
    String text = object == null ? "" : object.text("metadata", "generation");
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }

  @Override
  public void close() {
    onLoop(
        () -> {
          pump.stop();
          listening.forEach(
              it -> {
                try {
                  it.close();
                } catch (Exception e) {
                  LOG.log(System.Logger.Level.WARNING, "cannot stop listening", e);
                }
              });
        });
    queue.drain();
    loop.close();
  }
}
