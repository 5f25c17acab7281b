package dev.evenkeel.serve.kinds.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Where two trees differ: full objects are too large to look at. */
final class Differences {

  private Differences() {}

  static List<String> between(JsonNode one, JsonNode other) {
    List<String> differences = new ArrayList<>();
    compare("", one, other, differences);
    return differences;
  }

  private static void compare(String path, JsonNode one, JsonNode other, List<String> differences) {
    if (one.isObject() && other.isObject()) {
      Set<String> names = new TreeSet<>(one.propertyNames());
      names.addAll(other.propertyNames());
      for (String name : names) {
        compare(path + "." + name, one.path(name), other.path(name), differences);
      }
    } else if (one.isArray() && other.isArray() && one.size() == other.size()) {
      for (int i = 0; i < one.size(); i++) {
        compare(path + "[" + i + "]", one.path(i), other.path(i), differences);
      }
    } else if (!one.equals(other)) {
      differences.add(path + ": " + one + " and " + other);
    }
  }
}
