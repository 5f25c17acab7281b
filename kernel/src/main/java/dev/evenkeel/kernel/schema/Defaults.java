package dev.evenkeel.kernel.schema;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Fills in the defaults that a schema holds. */
public final class Defaults {

  private Defaults() {}

  /**
   * Gives each absent field its default, where its parent is there. An empty string counts as
   * absent, and so does zero where the field says so: the server the API comes from cannot tell
   * them apart.
   *
   * @param tree of the schema's {@link Shape}; changed in place
   */
  public static void apply(ObjectNode tree, Schema.Struct schema) {
    for (Field field : schema.defaulted()) {
      JsonNode value = tree.get(field.name());
      JsonNode defaultValue = field.defaultValue();
      if (defaultValue != null && (value == null || countsAsAbsent(value, field))) {
        tree.set(field.name(), defaultValue.isContainer() ? defaultValue.deepCopy() : defaultValue);
      }
    }
    for (Map.Entry<String, JsonNode> entry : tree.properties()) {
      if (entry.getValue().isContainer()) {
        Field field = schema.field(entry.getKey());
        if (field != null) {
          inside(entry.getValue(), field.schema());
        }
      }
    }
  }

  private static void inside(JsonNode value, Schema schema) {
    switch (schema) {
      case Schema.Struct struct -> {
        if (value instanceof ObjectNode object) {
          apply(object, struct);
        }
      }
      case Schema.MapOf map -> {
        if (value instanceof ObjectNode object && !(map.values() instanceof Schema.Scalar)) {
          for (Map.Entry<String, JsonNode> entry : object.properties()) {
            inside(entry.getValue(), map.values());
          }
        }
      }
      case Schema.ListOf list -> {
        if (value instanceof ArrayNode array && !(list.items() instanceof Schema.Scalar)) {
          for (int i = 0; i < array.size(); i++) {
            inside(array.get(i), list.items());
          }
        }
      }
      case Schema.Scalar _ -> {}
    }
  }

  private static boolean countsAsAbsent(JsonNode value, Field field) {
    if (value.isString()) {
      return value.stringValue().isEmpty();
    }
    if (!field.zeroIsAbsent()) {
      return false;
    }
    return value.isNumber() ? value.doubleValue() == 0 : value.isContainer() && value.isEmpty();
  }
}
