package dev.evenkeel.decide.schedule.model;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The condition that the scheduler keeps in the status of an object of ours, beside those of
 * others.
 *
 * @param generation of the object that it is about
 */
public record StatusCondition(
    String type, boolean isTrue, String reason, String message, long generation) {

  private String shown() {
    return isTrue ? "True" : "False";
  }

  private @Nullable JsonNode in(JsonNode status) {
    for (JsonNode each : status.path("conditions")) {
      if (Meta.text(each.path("type")).equals(type)) {
        return each;
      }
    }
    return null;
  }

  /** Whether the status says so already. */
  public boolean isSaidBy(JsonNode status) {
    JsonNode condition = in(status);
    return condition != null
        && Meta.text(condition.path("status")).equals(shown())
        && Meta.text(condition.path("reason")).equals(reason)
        && Meta.text(condition.path("message")).equals(message)
        && condition.path("observedGeneration").asLong(0) == generation;
  }

  /** Has a merge patch of the status say so, and leave the conditions of others alone. */
  public void addTo(ObjectNode patch, JsonNode status, Instant now) {
    ArrayNode conditions = patch.putArray("conditions");
    for (JsonNode each : status.path("conditions")) {
      if (!Meta.text(each.path("type")).equals(type)) {
        conditions.add(each.deepCopy());
      }
    }
    JsonNode before = in(status);
    boolean same = before != null && Meta.text(before.path("status")).equals(shown());
    conditions
        .addObject()
        .put("type", type)
        .put("status", shown())
        .put("reason", reason)
        .put("message", message)
        .put("observedGeneration", generation)
        .put(
            "lastTransitionTime",
            same && before != null
                ? Meta.text(before.path("lastTransitionTime"))
                : WireTime.seconds(now));
  }
}
