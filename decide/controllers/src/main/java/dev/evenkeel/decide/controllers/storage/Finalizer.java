package dev.evenkeel.decide.controllers.storage;

import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A finalizer that keeps an object while it is in use.
 *
 * @param name as it stands in the object's metadata
 */
record Finalizer(String name) {

  private static final String FIELD = "finalizers";

  boolean isOn(ObjectNode object) {
    for (JsonNode known : object.path("metadata").path(FIELD)) {
      if (Meta.text(known).equals(name)) {
        return true;
      }
    }
    return false;
  }

  void putOn(Cached<ObjectNode> object, Plan plan) {
    ArrayNode all = others(object);
    all.add(name);
    set(object, all, "what may come to be used is protected", plan);
  }

  void takeOff(Cached<ObjectNode> object, String because, Plan plan) {
    set(object, others(object), because, plan);
  }

  private ArrayNode others(Cached<ObjectNode> object) {
    ArrayNode others = JsonNodeFactory.instance.arrayNode();
    for (JsonNode known : object.tree().path("metadata").path(FIELD)) {
      if (!Meta.text(known).equals(name)) {
        others.add(known);
      }
    }
    return others;
  }

  private static void set(
      Cached<ObjectNode> object, ArrayNode finalizers, String because, Plan plan) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    if (finalizers.isEmpty()) {
      Meta.of(change).putNull(FIELD);
    } else {
      Meta.of(change).set(FIELD, finalizers);
    }
    plan.patch(object, change, because);
  }
}
