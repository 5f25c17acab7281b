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
public final class ExternalState {

  /** What was seen longer ago is looked at again before it is decided on. */
  static final Duration OBSERVATION_MAX = Duration.ofMinutes(10);

  /**
   * External resources that one object may have; one beyond stays unknown, and its plan is not
   * carried out.
   */
  private static final int RESOURCES_MAX = 200;

  /** Something, by who acts on it and what the reconciler calls it. */
  public record Resource(String actuator, String name) {}

  /**
   * How it was last seen.
   *
   * @param state null if it was not there
   */
  public record Observation(@Nullable ObjectNode state, Instant at) {}

  private final String uid;
  private final Map<Resource, Observation> observed = new HashMap<>(2);

  /**
   * @param uid of the object
   */
  public ExternalState(String uid) {
    this.uid = uid;
  }

  public String uid() {
    return uid;
  }

  /** What is known of a resource, unless that is too long ago; null if it has to be looked for. */
  public @Nullable Observation known(Resource resource, Instant now) {
    Observation observation = observed.get(resource);
    return observation == null || now.isAfter(observation.at().plus(OBSERVATION_MAX))
        ? null
        : observation;
  }

  void see(Resource resource, Observation observation) {
    if (observed.size() < RESOURCES_MAX || observed.containsKey(resource)) {
      observed.put(resource, observation);
    }
  }

  @Nullable Observation last(Resource resource) {
    return observed.get(resource);
  }

  void forget(Resource resource) {
    observed.remove(resource);
  }
}
