package dev.evenkeel.kernel.patch;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Questions about trees that do not depend on which class holds a number. */
final class Trees {

  private Trees() {}

  /** Whether both are the same value; a whole number is never the same as one with a fraction. */
  static boolean same(JsonNode left, JsonNode right) {
    return switch (left) {
      case ObjectNode object -> right instanceof ObjectNode other && sameEntries(object, other);
      case ArrayNode array -> right instanceof ArrayNode other && sameItems(array, other);
      default -> {
        if (left.isNumber() && right.isNumber()) {
          yield left.isIntegralNumber() == right.isIntegralNumber()
              && (left.isIntegralNumber()
                  ? left.longValue() == right.longValue()
                  : Double.compare(left.doubleValue(), right.doubleValue()) == 0);
        }
        yield left.equals(right);
      }
    };
  }

  private static boolean sameEntries(ObjectNode left, ObjectNode right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (Map.Entry<String, JsonNode> entry : left.properties()) {
      JsonNode other = right.get(entry.getKey());
      if (other == null || !same(entry.getValue(), other)) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameItems(ArrayNode left, ArrayNode right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      if (!same(left.get(i), right.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether lists and objects nest deeper than that. Looks no deeper itself. */
  static boolean isDeeperThan(JsonNode node, int depthMax) {
    if (!node.isContainer()) {
      return false;
    }
    if (depthMax == 0) {
      return true;
    }
    for (JsonNode child : node) {
      if (isDeeperThan(child, depthMax - 1)) {
        return true;
      }
    }
    return false;
  }

  /** A copy without the entries whose value is null; nulls in lists stay. */
  static JsonNode withoutNullEntries(JsonNode node) {
    return switch (node) {
      case ObjectNode object -> {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        object.forEachEntry(
            (name, value) -> {
              if (!value.isNull()) {
                copy.set(name, withoutNullEntries(value));
              }
            });
        yield copy;
      }
      case ArrayNode array -> {
        ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
        array.forEach(item -> copy.add(withoutNullEntries(item)));
        yield copy;
      }
      default -> node;
    };
  }
}
