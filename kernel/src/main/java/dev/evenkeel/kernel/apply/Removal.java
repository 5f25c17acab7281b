package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Takes fields and items out of an object. What is left empty by it becomes null. */
final class Removal {

  private Removal() {}

  /** The object without the paths of the set; a path that is not there is no harm. */
  static ObjectNode without(ObjectNode object, FieldSet fields, Schema.Struct schema) {
    return map(object, fields, schema);
  }

  private static ObjectNode map(ObjectNode object, FieldSet fields, Schema schema) {
    ObjectNode left = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      var element = new PathElement.FieldName(entry.getKey());
      if (!fields.has(element)) {
        Field field = Types.field(schema, entry.getKey());
        left.set(
            entry.getKey(),
            value(
                entry.getValue(),
                fields.below(element),
                Types.member(schema, field),
                Types.memberAtomic(schema, field)));
      }
    }
    return left;
  }

  private static JsonNode value(JsonNode value, FieldSet fields, Schema schema, boolean atomic) {
    if (fields.isEmpty() || value.isEmpty()) {
      return value;
    }
    JsonNode left =
        switch (Types.form(value, schema, atomic)) {
          case LEAF -> value;
          case MAP -> map((ObjectNode) value, fields, schema);
          case LIST -> list((ArrayNode) value, fields, (Schema.ListOf) schema);
        };
    return left.isContainer() && left.isEmpty() ? JsonNodeFactory.instance.nullNode() : left;
  }

  private static ArrayNode list(ArrayNode array, FieldSet fields, Schema.ListOf list) {
    ArrayNode left = JsonNodeFactory.instance.arrayNode();
    for (JsonNode item : array) {
      PathElement element = Types.item(item, list);
      if (!fields.has(element)) {
        left.add(value(item, fields.below(element), list.items(), Types.itemAtomic(list.items())));
      }
    }
    return left;
  }

  /** Drops the nulls that removals left, in place. Nulls where anything may stand are kept. */
  static void dropEmptied(JsonNode value, Schema schema) {
    if (value instanceof ObjectNode object) {
      var entries = object.properties().iterator();
      while (entries.hasNext()) {
        Map.Entry<String, JsonNode> entry = entries.next();
        Schema type = Types.member(schema, Types.field(schema, entry.getKey()));
        if (entry.getValue().isNull() && type != Schema.Scalar.ANY) {
          entries.remove();
        } else {
          dropEmptied(entry.getValue(), type);
        }
      }
    } else if (value instanceof ArrayNode array && schema instanceof Schema.ListOf list) {
      for (JsonNode item : array) {
        dropEmptied(item, list.items());
      }
    }
  }
}
