package dev.evenkeel.decide.run;

import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A reconciler with what wakes it.
 *
 * @param name in records, as field manager and in metrics, for example {@code replicaset}
 * @param owned kinds whose objects wake the objects that own them
 * @param others kinds whose objects wake whoever they concern
 * @param indexes that the reconciler asks its view for
 * @param scopes of kinds of which only some objects are followed
 */
public record Controller<T>(
    String name,
    Kind<T> kind,
    Reconciler<T> reconciler,
    List<Kind<?>> owned,
    List<Watch<?>> others,
    List<Indexed<?>> indexes,
    Map<Kind<?>, Scope> scopes) {

  public Controller {
    scopes = Map.copyOf(scopes);
    owned = List.copyOf(owned);
    others = List.copyOf(others);
    indexes = List.copyOf(indexes);
  }

  /** Another kind, and whom its objects concern. */
  public record Watch<S>(Kind<S> kind, Concerns<S> concerns) {}

  /** Says whom an object of another kind concerns. */
  @FunctionalInterface
  public interface Concerns<S> {

    /**
     * Called with each state of an object, the last one before it was deleted included.
     *
     * @param view of all kinds that the controller follows, for example to find those who select it
     */
    Collection<Key> of(Cached<S> object, View view);
  }

  /** An index of a kind. */
  public record Indexed<S>(Kind<S> kind, Index<S> index) {}

  public static <T> Controller<T> of(String name, Kind<T> kind, Reconciler<T> reconciler) {
    return new Controller<>(name, kind, reconciler, List.of(), List.of(), List.of(), Map.of());
  }

  /** Is woken by the objects of a kind that belong to its own. */
  public Controller<T> owning(Kind<?> child) {
    return new Controller<>(name, kind, reconciler, and(owned, child), others, indexes, scopes);
  }

  /** Is woken by the objects of another kind. */
  public <S> Controller<T> watching(Kind<S> other, Concerns<S> concerns) {
    return new Controller<>(
        name, kind, reconciler, owned, and(others, new Watch<>(other, concerns)), indexes, scopes);
  }

  /** Reads the objects of another kind, and is not woken by them. */
  public Controller<T> reading(Kind<?> other) {
    return watching(other, (_, _) -> List.of());
  }

  /** Has the cache of a kind keep an index. */
  public <S> Controller<T> indexing(Kind<S> other, Index<S> index) {
    return new Controller<>(
        name, kind, reconciler, owned, others, and(indexes, new Indexed<>(other, index)), scopes);
  }

  /** Follows only these objects of a kind: of the others it neither hears nor holds anything. */
  public Controller<T> within(Kind<?> followed, Scope scope) {
    Map<Kind<?>, Scope> all = new HashMap<>(scopes);
    all.put(followed, scope);
    return new Controller<>(name, kind, reconciler, owned, others, indexes, all);
  }

  private static <E> List<E> and(List<E> list, E last) {
    List<E> all = new ArrayList<>(list);
    all.add(last);
    return all;
  }
}
