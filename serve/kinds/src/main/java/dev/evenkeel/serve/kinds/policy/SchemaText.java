package dev.evenkeel.serve.kinds.policy;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A kind's type as a structural schema, without limits. */
final class SchemaText {

  private final Deque<Schema.Struct> open = new ArrayDeque<>();

  private SchemaText() {}

  static ObjectNode of(Schema.Struct type) {
    ObjectNode made = new SchemaText().type(type);
    return made == null ? JsonNodeFactory.instance.objectNode() : made;
  }

  /** Null for what cannot be told: anything at all, and what contains itself. */
  private @Nullable ObjectNode type(Schema schema) {
    ObjectNode text = JsonNodeFactory.instance.objectNode();
    switch (schema) {
      case Schema.Struct struct -> {
        if (open.contains(struct) || struct.keepsUnknown()) {
          return null;
        }
        open.push(struct);
        text.put("type", "object");
        ObjectNode properties = text.putObject("properties");
        for (Field field : struct.fields().values()) {
          ObjectNode type = type(field.schema());
          if (type != null) {
            properties.set(field.name(), type);
          }
        }
        open.pop();
      }
      case Schema.MapOf map -> {
        ObjectNode values = type(map.values());
        if (values == null) {
          return null;
        }
        text.put("type", "object").set("additionalProperties", values);
      }
      case Schema.ListOf list -> {
        ObjectNode items = type(list.items());
        if (items == null) {
          return null;
        }
        text.put("type", "array").set("items", items);
      }
      case Schema.Scalar scalar -> {
        return scalar(text, scalar);
      }
    }
    return text;
  }

  private static @Nullable ObjectNode scalar(ObjectNode text, Schema.Scalar scalar) {
    return switch (scalar) {
      case STRING, QUANTITY -> text.put("type", "string");
      case BYTES -> text.put("type", "string").put("format", "byte");
      case TIME, MICRO_TIME -> text.put("type", "string").put("format", "date-time");
      case INT32, INT64 -> text.put("type", "integer");
      case DOUBLE -> text.put("type", "number");
      case BOOLEAN -> text.put("type", "boolean");
      case INT_OR_STRING -> text.put("x-kubernetes-int-or-string", true);
      case ANY -> null;
    };
  }
}
