package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * How ownership sees a value. What no schema describes is taken as it comes: objects are owned
 * field by field, all else as one value.
 */
final class Types {

  /** What an owner owns of a value. */
  enum Form {
    /** All or nothing. */
    LEAF,
    /** Field by field. */
    MAP,
    /** Item by item. */
    LIST
  }

  /** Built-in types are named after where they come from. */
  private static final String BUILT_IN = "io.k8s.";

  /** References that may leave out the name by which they are told apart: it is empty then. */
  private static final String NAMELESS = BUILT_IN + "api.core.v1.LocalObjectReference";

  private Types() {}

  /**
   * @param atomic whether the place says that its value is owned as one
   */
  static Form form(JsonNode value, Schema schema, boolean atomic) {
    if (atomic) {
      return Form.LEAF;
    }
    return switch (schema) {
      case Schema.Struct _, Schema.MapOf _ -> value instanceof ObjectNode ? Form.MAP : Form.LEAF;
      case Schema.ListOf list ->
          value instanceof ArrayNode && list.type() != Schema.ListType.ATOMIC
              ? Form.LIST
              : Form.LEAF;
      case Schema.Scalar scalar ->
          scalar == Schema.Scalar.ANY && value instanceof ObjectNode ? Form.MAP : Form.LEAF;
    };
  }

  /** The declared field of that name, if there is one. */
  static @Nullable Field field(Schema schema, String name) {
    return schema instanceof Schema.Struct struct ? struct.field(name) : null;
  }

  /** The type of a map's or object's member. */
  static Schema member(Schema schema, @Nullable Field field) {
    if (field != null) {
      return field.schema();
    }
    return schema instanceof Schema.MapOf map ? map.values() : Schema.Scalar.ANY;
  }

  static boolean memberAtomic(Schema schema, @Nullable Field field) {
    return field != null
        ? field.atomic()
        : schema instanceof Schema.MapOf map && itemAtomic(map.values());
  }

  /** Whether an item of a list, or a value of a map, is owned as one. */
  static boolean itemAtomic(Schema items) {
    return items instanceof Schema.Struct struct && struct.atomic();
  }

  /** The type one step further; null where the schema says nothing. */
  static @Nullable Schema below(@Nullable Schema schema, PathElement element) {
    return switch (schema) {
      case Schema.Struct struct when element instanceof PathElement.FieldName(String name) ->
          member(struct, struct.field(name));
      case Schema.MapOf map when element instanceof PathElement.FieldName -> map.values();
      case Schema.ListOf list when element instanceof PathElement.Key -> list.items();
      case null, default -> null;
    };
  }

  /**
   * What tells an item of a set or of a list-map from the others.
   *
   * @throws TypeException if nothing does
   */
  static PathElement item(JsonNode item, Schema.ListOf list) {
    if (list.type() == Schema.ListType.SET || list.keys().isEmpty()) {
      if (item.isObject()) {
        throw new TypeException("associative list without keys has an element that's a map type");
      }
      if (item.isArray()) {
        throw new TypeException("not supported: associative list with lists as elements");
      }
      if (item.isNull()) {
        throw new TypeException(
            "associative list without keys has an element that's an explicit null");
      }
      return new PathElement.Value(item);
    }
    if (!(item instanceof ObjectNode object)) {
      throw new TypeException(
          item.isNull()
              ? "associative list with keys may not have a null element"
              : "associative list with keys may not have non-map elements");
    }
    List<PathElement.KeyField> fields = new ArrayList<>(list.keys().size());
    for (String key : list.keys()) {
      JsonNode value = object.get(key);
      if (value == null) {
        value = keyWithout(list.items(), key);
      }
      if (value != null) {
        fields.add(new PathElement.KeyField(key, value));
      }
    }
    if (fields.isEmpty()) {
      throw new TypeException(
          "associative list with keys has an element that omits all key fields ["
              + String.join(" ", list.keys().stream().map(Values::quoted).toList())
              + "] (and doesn't have default values for any key fields)");
    }
    return new PathElement.Key(fields);
  }

  /** What a key is taken for where an item does not give it; null if there is no telling. */
  private static @Nullable JsonNode keyWithout(Schema items, String key) {
    Field field = field(items, key);
    if (field == null || field.defaultValue() != null) {
      return field == null ? null : field.defaultValue();
    }
    // What a built-in type must have is there, if only as its zero.
    String type = items instanceof Schema.Struct struct ? struct.name() : "";
    boolean told = field.required() || type.equals(NAMELESS);
    if (!type.startsWith(BUILT_IN) || !told) {
      return null;
    }
    return switch (field.schema()) {
      case Schema.Scalar.STRING -> JsonNodeFactory.instance.stringNode("");
      case Schema.Scalar.INT32, Schema.Scalar.INT64 -> JsonNodeFactory.instance.numberNode(0L);
      default -> null;
    };
  }
}
