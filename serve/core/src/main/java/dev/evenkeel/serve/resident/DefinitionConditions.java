package dev.evenkeel.serve.resident;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import java.time.Instant;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The conditions in a definition's status; those that stay as they are keep their time. */
final class DefinitionConditions {

  private final ObjectNode status;
  private final Instant now;

  DefinitionConditions(ObjectNode status, Instant now) {
    this.status = status;
    this.now = now;
  }

  void set(String type, boolean holds, String reason, String message) {
    ArrayNode conditions =
        status.get("conditions") instanceof ArrayNode known ? known : status.putArray("conditions");
    String value = holds ? "True" : "False";
    for (JsonNode condition : conditions) {
      if (Meta.text(condition.path("type")).equals(type) && condition instanceof ObjectNode known) {
        if (!Meta.text(known.path("status")).equals(value)) {
          known.put("lastTransitionTime", time());
        }
        known.put("message", message).put("reason", reason).put("status", value);
        return;
      }
    }
    conditions
        .addObject()
        .put("lastTransitionTime", time())
        .put("message", message)
        .put("reason", reason)
        .put("status", value)
        .put("type", type);
  }

  void remove(String type) {
    if (status.get("conditions") instanceof ArrayNode conditions) {
      for (int i = conditions.size() - 1; i >= 0; i--) {
        if (Meta.text(conditions.get(i).path("type")).equals(type)) {
          conditions.remove(i);
        }
      }
    }
  }

  private String time() {
    return WireTime.seconds(now);
  }
}
