package dev.evenkeel.serve.kinds.policy;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import java.util.ArrayDeque;
import java.util.Deque;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A kind's type as a structural schema, without limits. */
final class SchemaText {

  private final Deque<Schema.Struct> open = new ArrayDeque<>();

  private SchemaText() {}

  /** Without anything where the type says nothing. */
  static ObjectNode of(Schema.Struct type) {
    return type.keepsUnknown()
        ? JsonNodeFactory.instance.objectNode()
        : new SchemaText().type(type);
  }

  /**
   * What cannot be told may be anything: a field of which nothing is known, what contains itself.
   */
  private ObjectNode type(Schema schema) {
    ObjectNode text = JsonNodeFactory.instance.objectNode();
    switch (schema) {
      case Schema.Struct struct -> {
        if (open.contains(struct) || struct.keepsUnknown()) {
          return anything(text);
        }
        open.push(struct);
        text.put("type", "object");
        ObjectNode properties = text.putObject("properties");
        for (Field field : struct.fields().values()) {
          properties.set(field.name(), type(field.schema()));
        }
        open.pop();
      }
      case Schema.MapOf map -> {
        text.put("type", "object").set("additionalProperties", type(map.values()));
      }
      case Schema.ListOf list -> {
        text.put("type", "array").set("items", type(list.items()));
      }
      case Schema.Scalar scalar -> {
        return scalar(text, scalar);
      }
    }
    return text;
  }

  private static ObjectNode scalar(ObjectNode text, Schema.Scalar scalar) {
    return switch (scalar) {
      case STRING, QUANTITY -> text.put("type", "string");
      case BYTES -> text.put("type", "string").put("format", "byte");
      case TIME, MICRO_TIME -> text.put("type", "string").put("format", "date-time");
      case INT32, INT64 -> text.put("type", "integer");
      case DOUBLE -> text.put("type", "number");
      case BOOLEAN -> text.put("type", "boolean");
      case INT_OR_STRING, ANY -> anything(text);
    };
  }

  private static ObjectNode anything(ObjectNode text) {
    return text.put("x-kubernetes-int-or-string", true);
  }
}
