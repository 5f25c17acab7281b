package dev.evenkeel.decide.plan;

import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a reconciler sees beside its object. All answers about a kind come from one state of it;
 * what was asked is remembered for the decision's record.
 */
public interface View {

  /**
   * What the authority answered.
   *
   * @param object its newest state; null if it is not there
   */
  record Answer<T>(@Nullable Cached<T> object) {}

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

  /** What the authority said of an object that the plan asks for; null if it was not asked yet. */
  <T> @Nullable Answer<T> asked(Kind<T> kind, String namespace, String name);

  /**
   * Something outside of the API that this object had made, as it was last seen there; null if it
   * is not there. Where that is not known yet, the answer is null and the plan is not carried out:
   * it is looked for, and the reconciler is called again.
   *
   * @param actuator who looks for it, by its name
   * @param thing what the plan calls it
   */
  @Nullable ObjectNode effect(String actuator, String thing);

  /** The action that was refused when this object was last looked at; null if none was. */
  @Nullable Refusal refusal();
}
