package dev.evenkeel.decide.run;

import dev.evenkeel.decide.lead.LateView;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.plan.Action;
import dev.evenkeel.decide.queue.Item;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.queue.Priority;
import dev.evenkeel.decide.queue.Wake;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.cache.Informer;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What must be seen of each key before it is planned for: all that was written for it.
 *
 * <p><b>Invariants:</b> a key is looked at only when the caches show every write that was made for
 * it, and those of which nobody knows whether they were made. However long that takes nothing is
 * forgotten: a key that waits for long is given back, comes again with backoff, and is woken when
 * what it waits for is there.
 *
 * <p><b>Threading:</b> of the runner's loop; {@link #waiting} is for any thread.
 */
final class Sight {

  /** A worker waits with a key for so long; then others have its place. */
  static final Duration PATIENCE = Duration.ofSeconds(3);

  /** Keys of which all was seen, and that nobody looked at since, are let go in sweeps. */
  private static final int SWEEP_AT_MIN = 1_024;

  /** What it works with. */
  record Tools(
      Clock clock, Loop loop, WorkQueue queue, Performer performer, CacheView.Caches caches) {}

  /** Who goes on with a key. */
  interface Then {

    /** All is seen. */
    void look(Item item, Term term);

    /** It is not, and has not been for longer than a worker waits. The key is to be given back. */
    void blind(Item item, Term term, LateView waiting);
  }

  /** What a key waits for. */
  private static final class Awaited {
    final Map<Kind<?>, Long> versions = new HashMap<>(2);

    /** What is not there any more, and may be shown still. */
    final List<Action> gone = new ArrayList<>(0);

    /** What the server has to be asked about. */
    final List<Action> unread = new ArrayList<>(0);

    /** Names under which something may have been made, or may yet be. */
    final Map<String, String> names = new HashMap<>(0);

    @Nullable Instant since;
    boolean late;

    /** Completed when the caches have come as far; null if they are not waited for. */
    @Nullable CompletableFuture<?> arrival;

    /** The worker that waits. */
    @Nullable Held held;

    boolean isEmpty() {
      return isSeen() && names.isEmpty() && arrival == null;
    }

    boolean isSeen() {
      return versions.isEmpty() && gone.isEmpty() && unread.isEmpty();
    }
  }

  private record Held(Item item, Term term, Loop.Timer timer) {}

  private final Clock clock;
  private final Loop loop;
  private final WorkQueue queue;
  private final Performer performer;
  private final CacheView.Caches caches;
  private final Then then;
  private final Map<Key, Awaited> all = new HashMap<>();
  private final Map<Key, LateView> waiting = new ConcurrentHashMap<>();
  private int sweepAt = SWEEP_AT_MIN;

  Sight(Tools tools, Then then) {
    this.clock = tools.clock();
    this.loop = tools.loop();
    this.queue = tools.queue();
    this.performer = tools.performer();
    this.caches = tools.caches();
    this.then = then;
  }

  /** What has waited for longer than a worker waits. */
  Collection<LateView> waiting() {
    return List.copyOf(waiting.values());
  }

  // ---- what was done

  /** Notes what came of an action, before the key is given back. */
  void did(Key key, Action action, Performer.Done done) {
    boolean byVersion = done.shows() == Performer.Done.Shows.VERSION;
    if ((byVersion && done.version() == 0) || caches.of(action.kind()) == null) {
      return;
    }
    if (all.size() >= sweepAt) {
      all.values().removeIf(this::isSeen);
      sweepAt = Math.max(SWEEP_AT_MIN, 2 * all.size());
    }
    Awaited awaited = all.computeIfAbsent(key, _ -> new Awaited());
    if (done.version() > 0) {
      awaited.versions.merge(action.kind(), done.version(), Math::max);
    }
    switch (done.shows()) {
      case VERSION -> {}
      case ABSENCE -> awaited.gone.add(action);
      case ANSWER -> awaited.unread.add(action);
    }
  }

  private boolean isSeen(Awaited awaited) {
    drop(awaited);
    return awaited.isEmpty();
  }

  /**
   * A name that a create without an answer had, and that nothing seen has; null if there is none.
   */
  @Nullable String nameOf(Key key, Action.Create create) {
    Awaited awaited = all.get(key);
    String name = awaited == null ? null : awaited.names.get(id(create));
    if (awaited == null || name == null) {
      return null;
    }
    Informer<?> cache = caches.of(create.kind());
    if (cache == null || cache.snapshot().find(create.namespace(), name) == null) {
      return name;
    }
    awaited.names.remove(id(create));
    return null;
  }

  /** A create under a drawn name has an answer, or has none. */
  void drew(Key key, Action.Create create, String name, boolean answered) {
    if (!answered) {
      all.computeIfAbsent(key, _ -> new Awaited()).names.put(id(create), name);
      return;
    }
    Awaited awaited = all.get(key);
    if (awaited != null) {
      awaited.names.remove(id(create), name);
    }
  }

  /** A plan was carried out whole: what it did not make is not wanted any more. */
  void carriedOut(Key key) {
    Awaited awaited = all.isEmpty() ? null : all.get(key);
    if (awaited != null) {
      awaited.names.clear();
    }
  }

  private static String id(Action.Create create) {
    return create.kind() + " " + Cached.key(create.namespace(), create.generateName());
  }

  // ---- before a look

  /** Has a key looked at once all is seen. */
  void begin(Item item, Term term) {
    Awaited awaited = all.isEmpty() ? null : all.get(item.key());
    if (awaited == null) {
      then.look(item, term);
    } else {
      step(item, term, awaited);
    }
  }

  private void step(Item item, Term term, Awaited awaited) {
    drop(awaited);
    if (awaited.isSeen()) {
      awaited.since = null;
      awaited.late = false;
      waiting.remove(item.key());
      if (awaited.isEmpty()) {
        all.remove(item.key());
      }
      then.look(item, term);
      return;
    }
    if (awaited.since == null) {
      awaited.since = clock.now();
    }
    if (awaited.unread.isEmpty()) {
      await(item, term, awaited);
    } else {
      ask(item, term, awaited);
    }
  }

  /** Lets go of what is seen. */
  private void drop(Awaited awaited) {
    awaited
        .versions
        .entrySet()
        .removeIf(
            each -> {
              Informer<?> cache = caches.of(each.getKey());
              return cache == null || cache.snapshot().version() >= each.getValue();
            });
    awaited.gone.removeIf(this::isSeenGone);
  }

  private boolean isSeenGone(Action action) {
    Informer<?> cache = caches.of(action.kind());
    Cached<?> seen =
        cache == null ? null : cache.snapshot().find(action.namespace(), action.name());
    String uid =
        switch (action) {
          case Action.Delete delete -> delete.uid();
          case Action.Patch patch -> patch.uid();
          case Action.Create _, Action.Apply _, Action.Effect _ -> "";
        };
    return seen == null
        || (!uid.isEmpty() && !seen.uid().equals(uid))
        || !seen.text("metadata", "deletionTimestamp").isEmpty();
  }

  private void ask(Item item, Term term, Awaited awaited) {
    List<Action> asked = List.copyOf(awaited.unread);
    List<CompletableFuture<Long>> answers = asked.stream().map(performer::readBack).toList();
    var _ =
        CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
            .whenComplete(
                (_, failure) ->
                    onLoop(
                        () -> {
                          if (failure != null) {
                            blind(
                                item, term, awaited, unread(asked) + ": " + Failures.text(failure));
                            return;
                          }
                          for (int i = 0; i < asked.size(); i++) {
                            awaited.versions.merge(
                                asked.get(i).kind(), answers.get(i).join(), Math::max);
                          }
                          awaited.unread.removeAll(asked);
                          step(item, term, awaited);
                        }));
  }

  private static String unread(List<Action> asked) {
    Action first = asked.getFirst();
    return "word of what became of " + first.verb() + " " + first.target(first.name());
  }

  private void await(Item item, Term term, Awaited awaited) {
    if (awaited.arrival == null) {
      List<CompletableFuture<?>> reached = new ArrayList<>(1);
      awaited.versions.forEach((kind, version) -> reached.add(cache(kind).awaitVersion(version)));
      for (Action action : awaited.gone) {
        // It is shown, so what removed it came after what is shown.
        Informer<?> cache = cache(action.kind());
        reached.add(cache.awaitVersion(cache.snapshot().version() + 1));
      }
      CompletableFuture<?> arrival =
          CompletableFuture.allOf(reached.toArray(new CompletableFuture<?>[0]));
      awaited.arrival = arrival;
      var _ =
          arrival.whenComplete((_, failure) -> onLoop(() -> arrived(item.key(), awaited, failure)));
    }
    if (awaited.late) {
      blind(item, term, awaited, unseen(awaited));
      return;
    }
    awaited.held =
        new Held(
            item,
            term,
            loop.runLater(
                PATIENCE,
                () -> {
                  awaited.held = null;
                  blind(item, term, awaited, unseen(awaited));
                }));
  }

  private void arrived(Key key, Awaited awaited, @Nullable Throwable failure) {
    awaited.arrival = null;
    Held held = awaited.held;
    awaited.held = null;
    if (held == null) {
      if (failure == null) {
        queue.add(key, Priority.NORMAL, new Wake(Wake.Kind.RETRY, "what it waited for is seen"));
      }
      return;
    }
    held.timer().cancel();
    if (failure == null) {
      step(held.item(), held.term(), awaited);
    } else {
      blind(held.item(), held.term(), awaited, unseen(awaited) + ": " + Failures.text(failure));
    }
  }

  private String unseen(Awaited awaited) {
    for (Map.Entry<Kind<?>, Long> each : awaited.versions.entrySet()) {
      long seen = cache(each.getKey()).snapshot().version();
      if (seen < each.getValue()) {
        return LateView.version(each.getKey().toString(), each.getValue(), seen);
      }
    }
    for (Action action : awaited.gone) {
      return "the end of "
          + action.target(action.name())
          + ", seen version "
          + cache(action.kind()).snapshot().version()
          + " of "
          + action.kind();
    }
    return "its caches";
  }

  private Informer<?> cache(Kind<?> kind) {
    return Objects.requireNonNull(caches.of(kind), "a kind that is waited for is followed");
  }

  private void blind(Item item, Term term, Awaited awaited, String what) {
    awaited.late = true;
    Instant since = awaited.since == null ? clock.now() : awaited.since;
    var known = new LateView(item.key(), what, since);
    waiting.put(item.key(), known);
    then.blind(item, term, known);
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // It is closed: nobody waits for it.
    }
  }
}
