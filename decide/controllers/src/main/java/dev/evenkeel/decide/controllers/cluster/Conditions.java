package dev.evenkeel.decide.controllers.cluster;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The conditions in an object's status: one of a type, the others as they are. */
final class Conditions {

  private Conditions() {}

  /** Missing if there is none of that type. */
  static JsonNode of(JsonNode object, String type) {
    for (JsonNode condition : object.path("status").path("conditions")) {
      if (Meta.text(condition.path("type")).equals(type)) {
        return condition;
      }
    }
    return object.path("status").path("no such condition");
  }

  static boolean isTrue(JsonNode condition) {
    return Meta.text(condition.path("status")).equals("True");
  }

  /** Since when it is as it is; null if nobody knows. */
  static @Nullable Instant since(JsonNode condition) {
    return Pods.time(condition.path("lastTransitionTime"));
  }

  static String text(Instant time) {
    return WireTime.seconds(time);
  }

  /**
   * The object's conditions with this one set.
   *
   * @param condition without its time, which changes only with its status
   */
  static ArrayNode with(JsonNode object, ObjectNode condition, Instant now) {
    String type = Meta.text(condition.path("type"));
    JsonNode known = of(object, type);
    boolean same = Meta.text(known.path("status")).equals(Meta.text(condition.path("status")));
    Instant since = same ? since(known) : now;
    condition.put("lastTransitionTime", text(since == null ? now : since));
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    boolean placed = false;
    for (JsonNode other : object.path("status").path("conditions")) {
      boolean isIt = Meta.text(other.path("type")).equals(type);
      if (!isIt || !placed) {
        all.add(isIt ? condition : other);
      }
      placed |= isIt;
    }
    return placed ? all : all.add(condition);
  }

  /** The object's conditions without those of a type. */
  static ArrayNode without(JsonNode object, String type) {
    ArrayNode others = JsonNodeFactory.instance.arrayNode();
    for (JsonNode other : object.path("status").path("conditions")) {
      if (!Meta.text(other.path("type")).equals(type)) {
        others.add(other);
      }
    }
    return others;
  }
}
