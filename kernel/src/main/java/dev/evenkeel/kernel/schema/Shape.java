package dev.evenkeel.kernel.schema;

import dev.evenkeel.kernel.json.GoText;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings a decoded tree into the shape of its schema: what has no place in it goes, nulls and empty
 * lists and maps go, since Kubernetes does not keep them either, and values that may be written in
 * several ways are written in one. A tree that went through it can be read without asking of each
 * value what it is.
 */
public final class Shape {

  private static final int UNKNOWN_MAX = 100;
  private static final int ERRORS_MAX = 10;

  /** An empty list of managers resets them, which none does not. */
  private static final String EMPTY_SAYS_SOMETHING = "managedFields";

  /**
   * What was found on the way.
   *
   * @param unknownFields what was dropped, as {@code unknown field "spec.foo"}; the first 100
   * @param typeErrors values of a wrong type, in the words of Go's decoder; the first ten. The tree
   *     is of no use if there are any
   * @param keptEmptyLists whether empty lists were kept for now, since their fields are such that
   *     whoever sends them so comes to own them; {@link #withoutEmptyLists} drops them
   */
  public record Report(
      List<String> unknownFields, List<String> typeErrors, boolean keptEmptyLists) {

    static final Report CLEAN = new Report(List.of(), List.of());

    public Report(List<String> unknownFields, List<String> typeErrors) {
      this(unknownFields, typeErrors, false);
    }

    /**
     * Why the object is refused, for a bad request.
     *
     * @return null if all types were right
     */
    public @Nullable String refusal(String kind, String version) {
      return typeErrors.isEmpty()
          ? null
          : kind
              + " in version \""
              + version
              + "\" cannot be handled as a "
              + kind
              + ": "
              + typeErrors.getFirst();
    }
  }

  /** Whether fields that say nothing stay. */
  private final boolean keepsEmpty;

  /** Whether even those lists go that somebody might own. */
  private boolean dropsLists;

  private boolean keptEmptyLists;

  private final Trail trail = new Trail();
  private final List<String> unknownFields = new ArrayList<>(0);
  private final List<String> typeErrors = new ArrayList<>(0);

  private Shape(boolean keepsEmpty) {
    this.keepsEmpty = keepsEmpty;
  }

  /** Changes the tree in place. */
  public static Report apply(ObjectNode tree, Schema.Struct schema) {
    return apply(tree, schema, false);
  }

  /**
   * Changes the tree in place, but leaves nulls and what is empty: whoever applies these comes to
   * own them.
   */
  public static Report ofApplied(ObjectNode tree, Schema.Struct schema) {
    return apply(tree, schema, true);
  }

  private static Report apply(ObjectNode tree, Schema.Struct schema, boolean keepsEmpty) {
    var shape = new Shape(keepsEmpty);
    shape.struct(tree, schema);
    return shape.unknownFields.isEmpty() && shape.typeErrors.isEmpty() && !shape.keptEmptyLists
        ? Report.CLEAN
        : new Report(
            List.copyOf(shape.unknownFields),
            List.copyOf(shape.typeErrors),
            shape.keptEmptyLists);
  }

  /** Drops the empty lists that were kept, in place. */
  public static void withoutEmptyLists(ObjectNode tree, Schema.Struct schema) {
    var shape = new Shape(false);
    shape.dropsLists = true;
    shape.struct(tree, schema);
  }

  private void struct(ObjectNode object, Schema.Struct schema) {
    Iterator<Map.Entry<String, JsonNode>> entries = object.properties().iterator();
    while (entries.hasNext()) {
      Map.Entry<String, JsonNode> entry = entries.next();
      String name = entry.getKey();
      JsonNode value = entry.getValue();
      Field field = schema.field(name);
      if (field == null) {
        if (!schema.keepsUnknown()) {
          unknown(name);
          entries.remove();
        }
      } else if (isNothing(value, field.schema())) {
        if (!keepsEmpty && !isKept(value, field)) {
          entries.remove();
        }
      } else {
        trail.enterField(name);
        entry.setValue(value(value, field.schema(), schema));
        trail.leave();
      }
    }
  }

  private boolean isKept(JsonNode value, Field field) {
    if (!value.isArray()) {
      return false;
    }
    boolean required = field.required() && !dropsLists;
    keptEmptyLists |= required;
    return required || field.name().equals(EMPTY_SAYS_SOMETHING);
  }

  private static boolean isNothing(JsonNode value, Schema schema) {
    if (!value.isEmpty()) {
      return false;
    }
    return switch (schema) {
      case Schema.Scalar scalar -> scalar != Schema.Scalar.ANY && value.isNull();
      case Schema.Struct _ -> value.isNull();
      case Schema.MapOf _ -> value.isNull() || value.isObject();
      case Schema.ListOf _ -> value.isNull() || value.isArray();
    };
  }

  private JsonNode value(JsonNode value, Schema schema, Schema.Struct owner) {
    switch (schema) {
      case Schema.Struct struct -> {
        if (value instanceof ObjectNode object) {
          struct(object, struct);
        } else if (!struct.admitsOthers()) {
          wrongType(value, schema, owner);
        }
      }
      case Schema.MapOf map -> {
        if (value instanceof ObjectNode object) {
          map(object, map.values(), owner);
        } else {
          wrongType(value, schema, owner);
        }
      }
      case Schema.ListOf list -> {
        if (value instanceof ArrayNode array) {
          list(array, list.items(), owner);
        } else {
          wrongType(value, schema, owner);
        }
      }
      case Schema.Scalar scalar -> {
        return scalar(value, scalar, owner);
      }
    }
    return value;
  }

  private void map(ObjectNode object, Schema values, Schema.Struct owner) {
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      JsonNode value = entry.getValue();
      trail.enterKey(entry.getKey());
      JsonNode shaped = value.isNull() ? ScalarShape.zero(values) : value(value, values, owner);
      // Maps of quantities are amounts of resources, of which nothing less than a milli is kept.
      entry.setValue(
          values == Schema.Scalar.QUANTITY ? ScalarShape.roundedUpToMilli(shaped) : shaped);
      trail.leave();
    }
  }

  private void list(ArrayNode array, Schema items, Schema.Struct owner) {
    for (int i = 0; i < array.size(); i++) {
      JsonNode value = array.get(i);
      trail.enterIndex(i);
      array.set(i, value.isNull() ? ScalarShape.zero(items) : value(value, items, owner));
      trail.leave();
    }
  }

  private JsonNode scalar(JsonNode value, Schema.Scalar scalar, Schema.Struct owner) {
    JsonNode shaped = ScalarShape.of(value, scalar);
    if (shaped != null) {
      return shaped;
    }
    String refusal = ScalarShape.refusal(value, scalar);
    if (refusal == null) {
      wrongType(value, scalar, owner);
    } else {
      error(refusal);
    }
    return value;
  }

  private void unknown(String name) {
    if (unknownFields.size() < UNKNOWN_MAX) {
      trail.enterField(name);
      unknownFields.add("unknown field " + GoText.quoted(trail.dottedPath()));
      trail.leave();
    }
  }

  private void wrongType(JsonNode value, Schema schema, Schema.Struct owner) {
    error(
        "json: cannot unmarshal "
            + ScalarShape.word(value, schema)
            + " into Go struct field "
            + owner.name().substring(owner.name().lastIndexOf('.') + 1)
            + "."
            + trail.fieldPath()
            + " of type "
            + ScalarShape.goType(schema));
  }

  private void error(String text) {
    if (typeErrors.size() < ERRORS_MAX) {
      typeErrors.add(text);
    }
  }
}
