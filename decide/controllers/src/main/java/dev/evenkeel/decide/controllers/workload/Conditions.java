package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A deployment's conditions, as they are to be.
 *
 * <p><b>Threading:</b> of one reconcile.
 */
final class Conditions {

  /** Whether a condition holds, as the API writes it. */
  enum Holds {
    TRUE("True"),
    FALSE("False"),
    UNKNOWN("Unknown");

    private final String word;

    Holds(String word) {
      this.word = word;
    }
  }

  private final List<ObjectNode> conditions = new ArrayList<>();
  private final String now;

  Conditions(JsonNode status, Instant now) {
    this.now = WireTime.seconds(now);
    for (JsonNode condition : status.path("conditions")) {
      if (condition instanceof ObjectNode known) {
        conditions.add(known);
      }
    }
  }

  @Nullable ObjectNode find(String type) {
    for (ObjectNode condition : conditions) {
      if (Meta.text(condition.path("type")).equals(type)) {
        return condition;
      }
    }
    return null;
  }

  /** Empty if there is no such condition. */
  String reason(String type) {
    ObjectNode condition = find(type);
    return condition == null ? "" : Meta.text(condition.path("reason"));
  }

  /** Nothing changes if it is so already, for the same reason. */
  void set(String type, Holds holds, String reason, String message) {
    ObjectNode known = find(type);
    if (known == null
        || !Meta.text(known.path("status")).equals(holds.word)
        || !Meta.text(known.path("reason")).equals(reason)) {
      renew(type, holds, reason, message);
    }
  }

  /** Says it anew, at this time, though it may have been so before. */
  void renew(String type, Holds holds, String reason, String message) {
    ObjectNode known = find(type);
    String since =
        known != null && Meta.text(known.path("status")).equals(holds.word)
            ? Meta.text(known.path("lastTransitionTime"))
            : "";
    ObjectNode condition = JsonNodeFactory.instance.objectNode();
    condition
        .put("type", type)
        .put("status", holds.word)
        .put("lastUpdateTime", now)
        .put("lastTransitionTime", since.isEmpty() ? now : since)
        .put("reason", reason)
        .put("message", message);
    remove(type);
    conditions.add(condition);
  }

  /** Takes over what another object says. */
  void copy(String type, JsonNode said) {
    ObjectNode known = find(type);
    if (known != null
        && known.path("status").equals(said.path("status"))
        && known.path("reason").equals(said.path("reason"))) {
      return;
    }
    String since = Meta.text(said.path("lastTransitionTime"));
    ObjectNode condition = JsonNodeFactory.instance.objectNode();
    condition
        .put("type", type)
        .put("status", Meta.text(said.path("status")))
        .put("lastUpdateTime", since.isEmpty() ? now : since)
        .put("lastTransitionTime", since.isEmpty() ? now : since)
        .put("reason", Meta.text(said.path("reason")))
        .put("message", Meta.text(said.path("message")));
    remove(type);
    conditions.add(condition);
  }

  void remove(String type) {
    conditions.removeIf(condition -> Meta.text(condition.path("type")).equals(type));
  }

  /** Null if there are none. */
  @Nullable ArrayNode toJson() {
    if (conditions.isEmpty()) {
      return null;
    }
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    conditions.forEach(list::add);
    return list;
  }
}
