package dev.evenkeel.serve.kinds.structural;

import java.util.Iterator;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Fills in a schema's defaults; a null that may not be one counts as absent. */
final class Defaulting {

  private Defaulting() {}

  /** Changes the tree in place. */
  static void apply(JsonNode value, Node schema) {
    if (value instanceof ObjectNode object) {
      object(object, schema);
    } else if (value instanceof ArrayNode array && schema.items() != null) {
      for (int i = 0; i < array.size(); i++) {
        apply(array.get(i), schema.items());
      }
    }
  }

  private static void object(ObjectNode object, Node schema) {
    Iterator<Map.Entry<String, JsonNode>> fields = object.properties().iterator();
    while (fields.hasNext()) {
      Map.Entry<String, JsonNode> field = fields.next();
      Node known = schema.at(field.getKey());
      if (known != null && field.getValue().isNull() && !known.nullable()) {
        fields.remove();
      }
    }
    if (schema.defaultsInside()) {
      for (Map.Entry<String, Node> property : schema.properties().entrySet()) {
        JsonNode value = property.getValue().defaultValue();
        if (value != null && !object.has(property.getKey())) {
          object.set(property.getKey(), value.deepCopy());
        }
      }
    }
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      Node known = schema.at(field.getKey());
      if (known != null && field.getValue().isContainer()) {
        apply(field.getValue(), known);
      }
    }
  }
}
