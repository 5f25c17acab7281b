package dev.evenkeel.serve.kinds.rules.check;

import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Whether two values mean the same: absent, null and empty do. */
public final class Same {

  private Same() {}

  public static boolean same(JsonNode one, JsonNode other) {
    if (isNothing(one) || isNothing(other)) {
      return isNothing(one) && isNothing(other);
    }
    if (one.isObject() && other.isObject()) {
      return sameFields(one, other);
    }
    if (one.isArray() && other.isArray()) {
      return sameItems(one, other);
    }
    if (one.isNumber() && other.isNumber()) {
      return one.asDouble() == other.asDouble() && one.asLong(0) == other.asLong(0);
    }
    return one.equals(other);
  }

  private static boolean isNothing(JsonNode node) {
    return node.isMissingNode() || node.isNull() || (node.isContainer() && node.isEmpty());
  }

  private static boolean sameFields(JsonNode one, JsonNode other) {
    Set<String> names = new LinkedHashSet<>(one.propertyNames());
    names.addAll(other.propertyNames());
    for (String name : names) {
      if (!same(one.path(name), other.path(name))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameItems(JsonNode one, JsonNode other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      if (!same(one.path(i), other.path(i))) {
        return false;
      }
    }
    return true;
  }
}
