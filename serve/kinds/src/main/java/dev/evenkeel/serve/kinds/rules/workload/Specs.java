package dev.evenkeel.serve.kinds.rules.workload;

import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What the specs and statuses of workloads have in common. */
final class Specs {

  private Specs() {}

  /** The spec, made if it was missing. */
  static ObjectNode of(ObjectNode object) {
    return child(object, "spec");
  }

  static ObjectNode child(ObjectNode object, String field) {
    return object.path(field) instanceof ObjectNode there ? there : object.putObject(field);
  }

  static void putIfAbsent(ObjectNode object, String field, long value) {
    if (isAbsent(object.path(field))) {
      object.put(field, value);
    }
  }

  static void putIfAbsent(ObjectNode object, String field, String value) {
    JsonNode there = object.path(field);
    boolean isEmptyText = there.isString() && there.stringValue().isEmpty();
    if (isAbsent(there) || isEmptyText) {
      object.put(field, value);
    }
  }

  static void putIfAbsent(ObjectNode object, String field, boolean value) {
    if (isAbsent(object.path(field))) {
      object.put(field, value);
    }
  }

  static boolean isAbsent(JsonNode node) {
    return node.isMissingNode() || node.isNull();
  }

  /** The selector that every workload must have. */
  static void validateSelector(Place spec, String kind) {
    Place selector = spec.at("selector");
    if (!selector.isThere()) {
      selector.required();
      return;
    }
    Selectors.validate(selector);
    if (Selectors.isEmpty(selector.node())) {
      selector.invalid("empty selector is invalid for " + kind);
    }
  }

  /** No part of the pods can be more than the whole. */
  static void validateCounts(Place status, List<String> parts, String readyWord) {
    long replicas = status.at("replicas").number();
    status.at("replicas").notNegative();
    parts.forEach(part -> status.at(part).notNegative());
    for (String part : parts) {
      if (status.at(part).number() > replicas) {
        counted(status.at(part)).invalid("cannot be greater than status.replicas");
      }
    }
    Place available = status.at("availableReplicas");
    if (available.number() > status.at("readyReplicas").number()) {
      counted(available).invalid("cannot be greater than " + readyWord);
    }
  }

  /** What is not there counts as none, and is shown so. */
  private static Place counted(Place count) {
    return count.isThere() ? count : count.holding(JsonNodeFactory.instance.numberNode(0));
  }

  static void validateCollisions(Place status, JsonNode old) {
    long before = old.path("status").path("collisionCount").asLong(0);
    Place count = status.at("collisionCount");
    if (count.number() < before) {
      count.invalid("cannot be decremented");
    }
  }
}
