package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether a configuration can be applied at all: every field is declared, every value of its type,
 * no item there twice. Stricter than decoding: a field that is dropped could not be owned.
 */
public final class TypeCheck {

  private static final int ERRORS_MAX = 20;

  private final List<String> errors = new ArrayList<>(0);
  private final List<PathElement> path = new ArrayList<>();

  private TypeCheck() {}

  /**
   * @throws TypeException if it cannot be applied, in upstream's words
   */
  public static void check(ObjectNode configuration, Schema.Struct schema) {
    var check = new TypeCheck();
    check.map(configuration, schema);
    if (check.errors.size() == 1) {
      throw new TypeException(check.errors.getFirst());
    }
    if (!check.errors.isEmpty()) {
      throw new TypeException("errors:\n  " + String.join("\n  ", check.errors));
    }
  }

  private void error(String message) {
    if (errors.size() < ERRORS_MAX) {
      errors.add(path.isEmpty() ? message : new FieldSet.Path(path) + ": " + message);
    }
  }

  private void value(PathElement element, JsonNode value, Schema schema) {
    path.add(element);
    if (!value.isNull()) {
      switch (schema) {
        case Schema.Struct struct -> {
          if (value instanceof ObjectNode object) {
            map(object, struct);
          } else if (!struct.admitsOthers()) {
            error("expected map, got &{" + Values.plain(value) + "}");
          }
        }
        case Schema.MapOf map -> {
          if (value instanceof ObjectNode object) {
            map(object, map);
          } else {
            error("expected map, got &{" + Values.plain(value) + "}");
          }
        }
        case Schema.ListOf list -> {
          if (value instanceof ArrayNode array) {
            list(array, list);
          } else {
            error("expected list, got &{" + Values.plain(value) + "}");
          }
        }
        case Schema.Scalar scalar -> scalar(value, scalar);
      }
    }
    path.removeLast();
  }

  private void map(ObjectNode object, Schema schema) {
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      var element = new PathElement.FieldName(entry.getKey());
      Field field = Types.field(schema, entry.getKey());
      if (field == null && schema instanceof Schema.Struct struct && !struct.keepsUnknown()) {
        path.add(element);
        error("field not declared in schema");
        path.removeLast();
      } else {
        value(element, entry.getValue(), Types.member(schema, field));
      }
    }
  }

  private void list(ArrayNode array, Schema.ListOf list) {
    var seen = new TreeSet<PathElement>();
    for (int i = 0; i < array.size(); i++) {
      PathElement element;
      if (list.type() == Schema.ListType.ATOMIC) {
        element = new PathElement.Index(i);
      } else {
        try {
          element = Types.item(array.get(i), list);
        } catch (TypeException e) {
          error("element " + i + ": " + e.getMessage());
          return;
        }
        if (!seen.add(element)) {
          error("duplicate entries for key " + element.printed());
        }
      }
      value(element, array.get(i), list.items());
    }
  }

  private void scalar(JsonNode value, Schema.Scalar scalar) {
    switch (scalar) {
      case STRING, BYTES -> {
        if (!value.isString()) {
          error("expected string, got &value.valueUnstructured{Value:" + Values.plain(value) + "}");
        }
      }
      case INT32, INT64, DOUBLE -> {
        if (!value.isNumber()) {
          error("expected numeric (int or float), got " + goType(value));
        }
      }
      case BOOLEAN -> {
        if (!value.isBoolean()) {
          error("expected boolean, got &{" + Values.plain(value) + "}");
        }
      }
      case INT_OR_STRING, QUANTITY, TIME, MICRO_TIME -> {
        if (value.isContainer()) {
          error("expected any scalar, got &{" + Values.plain(value) + "}");
        }
      }
      case ANY -> {}
    }
  }

  private static String goType(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> "string";
      case BOOLEAN -> "bool";
      case ARRAY -> "[]interface {}";
      default -> "map[string]interface {}";
    };
  }
}
