package dev.evenkeel.decide.schedule.group;

import dev.evenkeel.decide.schedule.model.PodGroup;
import dev.evenkeel.kernel.api.Meta;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A PodGroup as the server has it.
 *
 * @param version the object's
 * @param holdsFor how long it may hold room while it waits for more
 * @param status what its object says of it
 */
public record KnownGroup(
    PodGroup group, String uid, long version, long generation, Duration holdsFor, JsonNode status) {

  private static final int HOLDS_FOR_SECONDS = 60;

  public static KnownGroup of(ObjectNode object) {
    JsonNode spec = object.path("spec");
    String version = Meta.resourceVersion(object);
    return new KnownGroup(
        new PodGroup(
            Meta.namespace(object),
            Meta.name(object),
            Math.max(1, spec.path("minMember").asInt(1))),
        Meta.uid(object),
        version.isEmpty() ? 0 : Long.parseLong(version),
        object.path("metadata").path("generation").asLong(0),
        Duration.ofSeconds(
            Math.max(1, spec.path("scheduleTimeoutSeconds").asInt(HOLDS_FOR_SECONDS))),
        object.path("status"));
  }

  /** {@code namespace/name}. */
  public String key() {
    return group.key();
  }

  /** With fewer, none is placed. */
  public int minimum() {
    return group.minimum();
  }

  /** Whether its pods are to be treated as those of the other one. */
  boolean asks(KnownGroup other) {
    return uid.equals(other.uid) && group.equals(other.group) && holdsFor.equals(other.holdsFor);
  }
}
