package dev.evenkeel.decide.plan;

import dev.evenkeel.observe.object.Cached;

/**
 * Decides what an object needs. Pure: the answer depends on the object and on what the view shows,
 * time included, and on nothing else; it changes neither and calls nobody. So it can be called
 * again, in a test or a year later, and says the same.
 *
 * <p>Planning twice on one state gives the same plan; carrying the plan out leads to a state that
 * needs no plan.
 */
@FunctionalInterface
public interface Reconciler<T> {

  Plan reconcile(Cached<T> object, View view);

  /**
   * Whether there may be something to do for an object that has changed. Called on the way of all
   * changes: it has to be quick, and says yes if in doubt. Where it says no, {@link #reconcile}
   * would plan nothing. It is not asked when something else than a change of the object wakes it,
   * as time or another object.
   */
  default boolean concerns(Cached<T> object, View view) {
    return true;
  }

  /**
   * What there is to clean up before an object that is being deleted may go. Called instead of
   * {@link #reconcile} if the controller has a finalizer, until a plan that says it is {@link
   * Plan#clean} was carried out.
   */
  default Plan cleanUp(Cached<T> object, View view) {
    return Plan.empty().clean();
  }

  /**
   * What is left to do for an object that is gone, where deleting what belongs to it is not enough.
   *
   * @param namespace empty for an object in none
   */
  default Plan gone(String namespace, String name, View view) {
    return Plan.empty();
  }
}
