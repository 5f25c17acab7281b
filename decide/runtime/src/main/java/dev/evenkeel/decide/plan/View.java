package dev.evenkeel.decide.plan;

import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reconciler sees beside its object. All answers about a kind come from one state of it;
 * what was asked is remembered for the decision's record.
 */
public interface View {

  /** The time that counts for this decision. */
  Instant now();

  /**
   * One object, null if it is not there.
   *
   * @param namespace empty for kinds without namespaces
   */
  <T> @Nullable Cached<T> find(Kind<T> kind, String namespace, String name);

  /** All objects of a namespace; of all if it is empty. In the order of their names. */
  <T> List<Cached<T>> list(Kind<T> kind, String namespace);

  /** Those that an index has under a key. */
  <T> List<Cached<T>> by(Kind<T> kind, Index<T> index, String key);

  /** Those of a kind that name an object as one of their owners. */
  <T> List<Cached<T>> owned(Cached<?> owner, Kind<T> kind);
}
