package dev.evenkeel.decide.run;

import dev.evenkeel.decide.effect.Actuator;
import dev.evenkeel.decide.guard.ProgressDeadline;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reconciler with what wakes it and what it works with.
 *
 * @param name in records, as field manager and in metrics, for example {@code replicaset}
 */
public record Controller<T>(
    String name, Kind<T> kind, Reconciler<T> reconciler, Follows follows, Means means) {

  /**
   * What it hears of.
   *
   * @param owned kinds whose objects wake the objects that own them
   * @param others kinds whose objects wake whoever they concern
   * @param indexes that the reconciler asks its view for
   * @param scopes of kinds of which only some objects are followed
   */
  public record Follows(
      List<Kind<?>> owned,
      List<Watch<?>> others,
      List<Indexed<?>> indexes,
      Map<Kind<?>, Scope> scopes) {

    private static final Follows NOTHING = new Follows(List.of(), List.of(), List.of(), Map.of());

    public Follows {
      owned = List.copyOf(owned);
      others = List.copyOf(others);
      indexes = List.copyOf(indexes);
      scopes = Map.copyOf(scopes);
    }
  }

  /**
   * What it works with.
   *
   * @param actuators for effects outside of the API
   * @param finalizer that keeps an object until it is cleaned up; empty for none
   * @param deadline null for none
   */
  public record Means(
      List<Actuator> actuators, String finalizer, ProgressDeadline.@Nullable Deadline deadline) {

    private static final Means NONE = new Means(List.of(), "", null);

    public Means {
      actuators = List.copyOf(actuators);
    }
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
    return new Controller<>(name, kind, reconciler, Follows.NOTHING, Means.NONE);
  }

  /** As it signs what it writes and tells. */
  String component() {
    return name + "-controller";
  }

  /** The same with another reconciler, for example one that checks the first. */
  public Controller<T> reconciledBy(Reconciler<T> another) {
    return new Controller<>(name, kind, another, follows, means);
  }

  /** Is woken by the objects of a kind that belong to its own. */
  public Controller<T> owning(Kind<?> child) {
    return following(
        new Follows(and(follows.owned, child), follows.others, follows.indexes, follows.scopes));
  }

  /** Is woken by the objects of another kind. */
  public <S> Controller<T> watching(Kind<S> other, Concerns<S> concerns) {
    return following(
        new Follows(
            follows.owned,
            and(follows.others, new Watch<>(other, concerns)),
            follows.indexes,
            follows.scopes));
  }

  /** Reads the objects of another kind, and is not woken by them. */
  public Controller<T> reading(Kind<?> other) {
    return watching(other, (_, _) -> List.of());
  }

  /** Has the cache of a kind keep an index. */
  public <S> Controller<T> indexing(Kind<S> other, Index<S> index) {
    return following(
        new Follows(
            follows.owned,
            follows.others,
            and(follows.indexes, new Indexed<>(other, index)),
            follows.scopes));
  }

  /** Follows only these objects of a kind: of the others it neither hears nor holds anything. */
  public Controller<T> within(Kind<?> followed, Scope scope) {
    Map<Kind<?>, Scope> all = new HashMap<>(follows.scopes);
    all.put(followed, scope);
    return following(new Follows(follows.owned, follows.others, follows.indexes, all));
  }

  /** Has effects outside of the API through an actuator, which plans name. */
  public Controller<T> actingThrough(Actuator actuator) {
    return with(new Means(and(means.actuators, actuator), means.finalizer, means.deadline));
  }

  /**
   * Keeps each object on which it has acted until {@link Reconciler#cleanUp} says that it is clean.
   *
   * @param finalizer for example {@code example.com/dns}
   */
  public Controller<T> finalizing(String finalizer) {
    return with(new Means(means.actuators, finalizer, means.deadline));
  }

  /**
   * Says in a condition of the object when the work on a generation of it takes longer than this.
   * The work goes on. It has come to its end when a plan was carried out that says the condition
   * holds, or says nothing of it.
   */
  public Controller<T> deadline(Duration after, String condition) {
    return with(
        new Means(
            means.actuators, means.finalizer, new ProgressDeadline.Deadline(after, condition)));
  }

  private Controller<T> following(Follows what) {
    return new Controller<>(name, kind, reconciler, what, means);
  }

  private Controller<T> with(Means what) {
    return new Controller<>(name, kind, reconciler, follows, what);
  }

  private static <E> List<E> and(List<E> list, E last) {
    List<E> all = new ArrayList<>(list);
    all.add(last);
    return all;
  }
}
