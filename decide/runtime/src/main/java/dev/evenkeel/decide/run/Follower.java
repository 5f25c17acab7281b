package dev.evenkeel.decide.run;

import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.queue.Priority;
import dev.evenkeel.decide.queue.Wake;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.observe.cache.Change;
import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.cache.Indexes;
import dev.evenkeel.observe.cache.Informer;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Owner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Follows the kinds that a controller is about, and wakes the keys that a change concerns.
 *
 * <p><b>Threading:</b> set up and closed on one thread; informers call from any.
 */
final class Follower<T> implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Follower.class.getName());

  private final Controller<T> controller;
  private final Clock clock;
  private final WorkQueue queue;
  private final Map<Kind<?>, Informer<?>> informers = new LinkedHashMap<>();
  private final List<AutoCloseable> listening = new ArrayList<>();

  Follower(Controller<T> controller, Clock clock, WorkQueue queue) {
    this.controller = controller;
    this.clock = clock;
    this.queue = queue;
  }

  /** Follows everything but the controller's own objects; done when all is there. */
  CompletableFuture<?> follow(Informers caches) {
    informer(caches, controller.kind());
    for (Controller.Indexed<?> indexed : controller.follows().indexes()) {
      index(caches, indexed);
    }
    for (Kind<?> kind : controller.follows().owned()) {
      followOwned(caches, kind);
    }
    for (Controller.Watch<?> watch : controller.follows().others()) {
      followOther(caches, watch);
    }
    List<CompletableFuture<?>> synced = new ArrayList<>();
    informers.values().forEach(informer -> synced.add(informer.synced()));
    return CompletableFuture.allOf(synced.toArray(new CompletableFuture<?>[0]));
  }

  /** Follows the controller's own objects, those that are there first. */
  void followOwn() {
    Informer<T> own = cache(controller.kind());
    if (own != null) {
      listening.add(own.listen(this::wakeItself));
    }
  }

  /** All that is followed. */
  Collection<Informer<?>> caches() {
    return informers.values();
  }

  @SuppressWarnings("unchecked") // put there under its own kind
  <S> @Nullable Informer<S> cache(Kind<S> kind) {
    return (Informer<S>) informers.get(kind);
  }

  @SuppressWarnings("unchecked") // put there under its own kind
  private <S> Informer<S> informer(Informers caches, Kind<S> kind) {
    return (Informer<S>)
        informers.computeIfAbsent(
            kind,
            _ ->
                caches.informer(kind, controller.follows().scopes().getOrDefault(kind, Scope.ALL)));
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
                  CacheView view = CacheView.unnoted(this::cache, clock.now());
                  wakeConcerned(watch, change.before(), change, view);
                  wakeConcerned(watch, change.after(), change, view);
                }));
  }

  private <S> void wakeConcerned(
      Controller.Watch<S> watch, @Nullable Cached<S> object, Change<S> change, CacheView view) {
    if (object == null) {
      return;
    }
    for (Key key : watch.concerns().of(object, view)) {
      queue.add(key, Priority.NORMAL, new Wake(Wake.Kind.REFERRED, text(change)));
    }
  }

  private void wakeItself(Change<T> change) {
    Cached<T> after = change.after();
    if (after != null && !concerns(after)) {
      return;
    }
    Cached<T> object = change.newest();
    queue.add(
        new Key(object.namespace(), object.name()),
        Priority.NORMAL,
        new Wake(Wake.Kind.OBJECT, text(change)));
  }

  private boolean concerns(Cached<T> object) {
    try {
      return controller.reconciler().concerns(object, CacheView.unnoted(this::cache, clock.now()));
    } catch (RuntimeException | LinkageError e) {
      // The look will fail as well, and is written down.
      return true;
    }
  }

  /** Wakes all of the controller's own objects. */
  void wakeAll(String why) {
    Informer<T> own = cache(controller.kind());
    if (own == null) {
      return;
    }
    for (Cached<?> object : own.snapshot().all()) {
      queue.add(
          new Key(object.namespace(), object.name()),
          Priority.LOW,
          new Wake(Wake.Kind.RESYNC, why));
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

  @Override
  public void close() {
    listening.forEach(
        it -> {
          try {
            it.close();
          } catch (Exception e) {
            LOG.log(System.Logger.Level.WARNING, "cannot stop listening", e);
          }
        });
  }
}
