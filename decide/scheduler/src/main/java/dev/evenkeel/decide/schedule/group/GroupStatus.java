package dev.evenkeel.decide.schedule.group;

import dev.evenkeel.decide.schedule.model.StatusCondition;
import dev.evenkeel.kernel.api.Meta;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a group's object says of it.
 *
 * @param members pods of the group
 * @param scheduled those that have a node
 * @param reason of the condition, in a word
 * @param message for people
 */
public record GroupStatus(Phase phase, int members, int scheduled, String reason, String message) {

  /** How far a group is. */
  public enum Phase {
    PENDING("Pending"),
    HOLDING("Holding"),
    SCHEDULED("Scheduled");

    private final String shown;

    Phase(String shown) {
      this.shown = shown;
    }
  }

  private static final String CONDITION = "Scheduled";

  /**
   * @param says why its pods wait; null if they were told nothing
   */
  public static GroupStatus of(
      KnownGroup group, GroupBook book, RoomHold hold, @Nullable GroupCondition says) {
    String key = group.key();
    int members = book.members(key);
    int scheduled = book.placed(key);
    int minimum = group.minimum();
    if (scheduled >= minimum) {
      return new GroupStatus(
          Phase.SCHEDULED,
          members,
          scheduled,
          "Scheduled",
          "%d pods have a node, and %d are needed.".formatted(scheduled, minimum));
    }
    if (scheduled + book.ready(key).size() < minimum) {
      return new GroupStatus(
          Phase.PENDING,
          members,
          scheduled,
          "TooFewPods",
          "%d of %d pods are there.".formatted(scheduled + book.ready(key).size(), minimum));
    }
    boolean holds = hold.isHeldBy(key) && hold.places() > 0;
    return new GroupStatus(
        holds ? Phase.HOLDING : Phase.PENDING,
        members,
        scheduled,
        holds ? "Holding" : says == null ? "Waiting" : says.reason(),
        says == null ? "Its pods wait for their turn." : says.message());
  }

  /** Whether the object says all this already. */
  public boolean isSaidBy(KnownGroup group) {
    JsonNode status = group.status();
    return Meta.text(status.path("phase")).equals(phase.shown)
        && status.path("members").asInt(0) == members
        && status.path("scheduled").asInt(0) == scheduled
        && condition(group).isSaidBy(status);
  }

  private StatusCondition condition(KnownGroup group) {
    return new StatusCondition(
        CONDITION, phase == Phase.SCHEDULED, reason, message, group.generation());
  }

  /** A merge patch that has the object say so, and leaves conditions of others alone. */
  public ObjectNode patch(KnownGroup group, Instant now) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode status = patch.putObject("status");
    status.put("phase", phase.shown).put("members", members).put("scheduled", scheduled);
    condition(group).addTo(status, group.status(), now);
    return patch;
  }
}
