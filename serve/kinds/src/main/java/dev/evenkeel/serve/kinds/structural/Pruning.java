package dev.evenkeel.serve.kinds.structural;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Drops what a schema does not know, and remembers its names. Owned by one walk. */
final class Pruning {

  private static final int UNKNOWN_MAX = 100;

  private final List<String> unknown = new ArrayList<>(0);

  private Pruning() {}

  /**
   * Changes the tree in place.
   *
   * @return what was dropped, as {@code unknown field "spec.foo"}; the first 100
   */
  static List<String> root(ObjectNode object, Node schema) {
    var pruning = new Pruning();
    pruning.object(object, schema, null, true);
    pruning.unknown.sort(null);
    return pruning.unknown;
  }

  /** A value that stands somewhere inside, such as a default. */
  static List<String> value(JsonNode value, Node schema) {
    var pruning = new Pruning();
    pruning.value(value, schema, null);
    return pruning.unknown;
  }

  private void object(ObjectNode object, Node schema, @Nullable Step at, boolean resource) {
    Iterator<Map.Entry<String, JsonNode>> fields = object.properties().iterator();
    while (fields.hasNext()) {
      Map.Entry<String, JsonNode> field = fields.next();
      String name = field.getKey();
      if (resource && (name.equals("apiVersion") || name.equals("kind"))) {
        continue;
      }
      if (resource && name.equals("metadata")) {
        continue;
      }
      Node known = schema.at(name);
      if (known != null) {
        value(field.getValue(), known, new Step(at, name, -1));
      } else if (!schema.openEnded()) {
        if (unknown.size() < UNKNOWN_MAX) {
          unknown.add("unknown field \"" + new Step(at, name, -1) + "\"");
        }
        fields.remove();
      }
    }
  }

  private void value(JsonNode value, Node schema, @Nullable Step at) {
    if (value instanceof ObjectNode object) {
      object(object, schema, at, schema.embedded());
    } else if (value instanceof ArrayNode array) {
      Node items = schema.items();
      if (items == null && schema.openEnded()) {
        return;
      }
      for (int i = 0; i < array.size(); i++) {
        value(array.get(i), items == null ? NodeReader.NOTHING : items, new Step(at, "", i));
      }
    }
  }

  /** One step of a path, behind those before it. */
  private record Step(@Nullable Step before, String field, int index) {
    @Override
    public String toString() {
      String head = before == null ? "" : before.toString();
      if (index >= 0) {
        return head + "[" + index + "]";
      }
      return head.isEmpty() ? field : head + "." + field;
    }
  }
}
