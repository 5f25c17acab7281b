package dev.evenkeel.kernel.schema;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Holds an object against the {@link Limits} of its schema. */
public final class Checks {

  private final Trail trail = new Trail();
  private final Problems problems;

  private Checks(Problems problems) {
    this.problems = problems;
  }

  /**
   * Adds what is wrong to the problems.
   *
   * @param tree of the schema's {@link Shape}, with defaults filled in
   */
  public static void validate(ObjectNode tree, Schema.Struct schema, Problems problems) {
    new Checks(problems).struct(tree, schema);
  }

  private void struct(ObjectNode object, Schema.Struct schema) {
    for (Field field : schema.limited()) {
      trail.enterField(field.name());
      limits(object.get(field.name()), field);
      trail.leave();
    }
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (entry.getValue().isContainer()) {
        Field field = schema.field(entry.getKey());
        if (field != null && !(field.schema() instanceof Schema.Scalar)) {
          trail.enterField(entry.getKey());
          inside(entry.getValue(), field.schema());
          trail.leave();
        }
      }
    }
  }

  private void inside(JsonNode value, Schema schema) {
    switch (schema) {
      case Schema.Struct struct -> {
        if (value instanceof ObjectNode object) {
          struct(object, struct);
        }
      }
      case Schema.MapOf map -> {
        if (value instanceof ObjectNode object && !(map.values() instanceof Schema.Scalar)) {
          for (Map.Entry<String, JsonNode> entry : object.properties()) {
            trail.enterKey(entry.getKey());
            inside(entry.getValue(), map.values());
            trail.leave();
          }
        }
      }
      case Schema.ListOf list -> {
        if (value instanceof ArrayNode array && !(list.items() instanceof Schema.Scalar)) {
          for (int i = 0; i < array.size(); i++) {
            trail.enterIndex(i);
            inside(array.get(i), list.items());
            trail.leave();
          }
        }
      }
      case Schema.Scalar _ -> {}
    }
  }

  private void limits(@Nullable JsonNode value, Field field) {
    Limits limits = field.limits();
    if (value == null || isEmpty(value, field)) {
      if (limits.required()) {
        problems.required(trail.path(), "");
      }
    } else if (value.isString()) {
      text(value.stringValue(), limits);
    } else if (value.isNumber()) {
      number(value, limits);
    } else if (value instanceof ArrayNode array) {
      list(array, limits);
    } else if (value instanceof ObjectNode object && field.schema() instanceof Schema.MapOf) {
      map(object, limits);
    }
  }

  /** An object with fields is there even if it has none: the user wrote it. */
  private static boolean isEmpty(JsonNode value, Field field) {
    if (value.isString()) {
      return value.stringValue().isEmpty();
    }
    if (value.isNumber()) {
      return field.zeroIsAbsent() && value.doubleValue() == 0;
    }
    return value.isContainer() && value.isEmpty() && !(field.schema() instanceof Schema.Struct);
  }

  private void text(String value, Limits limits) {
    if (limits.lengthMax() > 0
        && value.length() > limits.lengthMax() / 4
        && value.getBytes(StandardCharsets.UTF_8).length > limits.lengthMax()) {
      problems.tooLong(trail.path(), limits.lengthMax());
    }
    item(value, limits);
  }

  /** A string of its own, or one of a list's or map's. */
  private void item(String value, Limits limits) {
    if (!limits.choices().isEmpty() && !limits.choices().contains(value)) {
      problems.notSupported(trail.path(), value, limits.choices());
    }
    if (limits.format() != null) {
      format(value, limits.format());
    }
  }

  private void format(String value, TextFormat format) {
    for (String problem : format.problems(value)) {
      problems.invalid(trail.path(), value, problem);
    }
  }

  private void number(JsonNode value, Limits limits) {
    if (!value.isIntegralNumber()) {
      return;
    }
    long number = value.longValue();
    Long min = limits.min();
    Long max = limits.max();
    boolean tooSmall = min != null && number < min;
    boolean tooLarge = max != null && number > max;
    if (limits.positive() != null && number <= 0) {
      problems.invalid(trail.path(), value, "must be greater than " + limits.positive());
    } else if ((tooSmall || tooLarge) && min != null && max != null) {
      problems.invalid(
          trail.path(), value, "must be between " + min + " and " + max + ", inclusive");
    } else if (tooSmall) {
      problems.invalid(trail.path(), value, "must be greater than or equal to " + min);
    } else if (tooLarge) {
      problems.invalid(trail.path(), value, "must be less than or equal to " + max);
    }
  }

  private void list(ArrayNode array, Limits limits) {
    if (limits.lengthMax() > 0 && array.size() > limits.lengthMax()) {
      problems.tooMany(trail.path(), array.size(), limits.lengthMax());
    }
    if (limits.choices().isEmpty() && limits.format() == null) {
      return;
    }
    for (int i = 0; i < array.size(); i++) {
      if (array.get(i).isString()) {
        trail.enterIndex(i);
        item(array.get(i).stringValue(), limits);
        trail.leave();
      }
    }
  }

  private void map(ObjectNode object, Limits limits) {
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (limits.keys() != null) {
        key(entry.getKey(), limits.keys());
      }
      if (entry.getValue().isString()) {
        item(entry.getValue().stringValue(), limits);
      }
    }
  }

  /** Keys of data are named in the path, keys of labels are not. */
  private void key(String key, TextFormat format) {
    if (format == TextFormat.DATA_KEY) {
      trail.enterKey(key);
      format(key, format);
      trail.leave();
    } else {
      format(key, format);
    }
  }
}
