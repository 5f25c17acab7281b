package dev.evenkeel.decide.effect;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What one object has outside of the API, as it was last seen there.
 *
 * <p><b>Threading:</b> owned by the controller's loop.
 */
public final class Things {

  /** What was seen longer ago is looked at again before it is decided on. */
  static final Duration SIGHT_MAX = Duration.ofMinutes(10);

  /** Things that one object may have; one beyond stays unknown, and its plan is not carried out. */
  private static final int THINGS_MAX = 200;

  /** Something, by who acts on it and what the reconciler calls it. */
  public record Thing(String actuator, String name) {}

  /**
   * How it was last seen.
   *
   * @param state null if it was not there
   */
  public record Sight(@Nullable ObjectNode state, Instant at) {}

  private final String uid;
  private final Map<Thing, Sight> sights = new HashMap<>(2);

  /**
   * @param uid of the object
   */
  public Things(String uid) {
    this.uid = uid;
  }

  public String uid() {
    return uid;
  }

  /** What is known of a thing, unless that is too long ago; null if it has to be looked for. */
  public @Nullable Sight known(Thing thing, Instant now) {
    Sight sight = sights.get(thing);
    return sight == null || now.isAfter(sight.at().plus(SIGHT_MAX)) ? null : sight;
  }

  void see(Thing thing, Sight sight) {
    if (sights.size() < THINGS_MAX || sights.containsKey(thing)) {
      sights.put(thing, sight);
    }
  }

  @Nullable Sight last(Thing thing) {
    return sights.get(thing);
  }

  void forget(Thing thing) {
    sights.remove(thing);
  }
}
