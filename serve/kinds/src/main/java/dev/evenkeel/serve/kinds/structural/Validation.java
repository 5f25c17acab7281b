package dev.evenkeel.serve.kinds.structural;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Schema;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Holds values against a schema, in the words that users of custom kinds know. What was wrong
 * before and did not change is no fault of the change.
 *
 * <p>Owned by one validation.
 */
final class Validation {

  private static final int FAULTS_MAX = 100;

  /**
   * One thing wrong.
   *
   * @param field relative to the value that is validated; null if it is about no field of its own
   */
  private record Fault(FieldError.Reason reason, @Nullable String field, String message) {}

  private final List<Fault> faults = new ArrayList<>(0);

  /**
   * How many checks applied: of alternatives that all fail, the one that came furthest is told.
   * Counted as clients of the API have always seen it.
   */
  private int matches;

  private Validation() {}

  /**
   * Validates a value.
   *
   * @param old what it replaces; null if it is new
   * @param path where it stands; empty for a whole object
   */
  static void check(
      JsonNode value, @Nullable JsonNode old, Node schema, String path, Problems problems) {
    var validation = new Validation();
    validation.at(value, old, schema, "");
    for (Fault fault : validation.faults) {
      String field = fault.field == null ? "" : fault.field;
      String place =
          path.isEmpty() || field.isEmpty() || field.startsWith("[")
              ? path + field
              : path + "." + field;
      problems.add(fault.reason, place.isEmpty() ? "<nil>" : place, fault.message);
    }
  }

  private void at(JsonNode value, @Nullable JsonNode old, Node schema, String path) {
    int before = faults.size();
    all(value, old, schema, path);
    if (old != null && faults.size() > before && value.equals(old)) {
      faults.subList(before, faults.size()).clear();
    }
  }

  private void all(JsonNode value, @Nullable JsonNode old, Node schema, String path) {
    Node.Limits limits = schema.limits();
    type(value, schema, path);
    if (value.isNull()) {
      choices(value, limits, path);
      return;
    }
    logic(value, old, limits, path);
    switch (value) {
      case StringNode text -> {
        text(text.stringValue(), limits, path);
        choices(value, limits, path);
      }
      case ArrayNode array -> {
        items(array, old, schema, path);
        choices(value, limits, path);
      }
      case ObjectNode object -> {
        choices(value, limits, path);
        object(object, old, schema, path);
      }
      default -> {
        if (value.isNumber()) {
          number(value, limits, path);
        }
        choices(value, limits, path);
      }
    }
    matches++;
  }

  // ---- types

  private void type(JsonNode value, Node schema, String path) {
    String format = schema.limits().format();
    if (value.isNull()) {
      if ((!schema.type().isEmpty() || schema.intOrString()) && !schema.nullable()) {
        wrongType(path, expected(schema), "null");
      } else {
        matches++;
      }
      return;
    }
    if (schema.type().isEmpty() && !schema.intOrString() && format.isEmpty()) {
      return;
    }
    matches++;
    if (typeFits(value, schema)) {
      matches++;
    } else if (!format.isEmpty() && !value.isString() && !value.isArray()) {
      wrongType(path, format, value.isNumber() ? (isWhole(value) ? "int64" : "float64") : "");
    } else {
      wrongType(path, expected(schema), typeOf(value));
    }
  }

  private static String expected(Node schema) {
    return schema.intOrString() ? "integer,string" : schema.type();
  }

  private static boolean typeFits(JsonNode value, Node schema) {
    if (schema.intOrString()) {
      return value.isString() || isIntegral(value);
    }
    return switch (schema.type()) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isString();
      case "boolean" -> value.isBoolean();
      case "integer" -> isIntegral(value);
      case "number" -> value.isNumber();
      default -> true;
    };
  }

  /** Whether it is written as a whole number, and small enough to be kept as one. */
  private static boolean isWhole(JsonNode value) {
    return value.isIntegralNumber() && value.canConvertToLong();
  }

  /** Whether its value is whole, however it is written. */
  private static boolean isIntegral(JsonNode value) {
    return value.isIntegralNumber()
        || (value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0);
  }

  private static String typeOf(JsonNode value) {
    if (value.isNumber()) {
      return isWhole(value) ? "integer" : "number";
    }
    return value.isObject()
        ? "object"
        : value.isArray()
            ? "array"
            : value.isString() ? "string" : value.isBoolean() ? "boolean" : "null";
  }

  private void wrongType(String path, String expected, String actual) {
    add(
        FieldError.Reason.TYPE_INVALID,
        path,
        "Invalid value: "
            + quoted(actual)
            + ": "
            + inBody(path)
            + " must be of type "
            + expected
            + ": "
            + quoted(actual));
  }

  // ---- single values

  private void choices(JsonNode value, Node.Limits limits, String path) {
    matches++;
    if (!limits.choices().isEmpty() && !isChoice(value, limits)) {
      List<String> words = new ArrayList<>();
      for (JsonNode choice : limits.choices()) {
        words.add("\"" + (choice.isString() ? choice.stringValue() : json(choice)) + "\"");
      }
      add(
          FieldError.Reason.NOT_SUPPORTED,
          path,
          "Unsupported value: " + json(value) + ": supported values: " + String.join(", ", words));
    }
  }

  private static boolean isChoice(JsonNode value, Node.Limits limits) {
    for (JsonNode choice : limits.choices()) {
      boolean same =
          (choice.isNumber() && value.isNumber())
              ? choice.decimalValue().compareTo(value.decimalValue()) == 0
              : choice.equals(value);
      if (same) {
        return true;
      }
    }
    return false;
  }

  private void text(String value, Node.Limits limits, String path) {
    matches++;
    int length =
        limits.length().equals(Node.Range.ALL) ? 0 : value.codePointCount(0, value.length());
    if (limits.length().isAbove(length)) {
      long most = limits.length().max();
      add(
          FieldError.Reason.TOO_LONG,
          path,
          most < 0
              ? "Too long: value is too long"
              : "Too long: may not be more than " + most + " bytes");
    } else if (limits.length().isBelow(length)) {
      invalid(path, quoted(value), "should be at least " + limits.length().min() + " chars long");
    } else if (limits.pattern() != null && !limits.pattern().matcher(value).find()) {
      invalid(path, quoted(value), "should match '" + limits.patternText() + "'");
    }
    if (!limits.format().isEmpty()) {
      matches++;
      if (!Formats.accepts(limits.format(), value)) {
        wrongType(path, limits.format(), value);
      }
    }
  }

  private void number(JsonNode value, Node.Limits limits, String path) {
    matches += 2;
    BigDecimal number = value.decimalValue();
    BigDecimal unit = limits.multipleOf();
    if (unit != null && unit.signum() <= 0) {
      add(
          FieldError.Reason.INVALID,
          path,
          "Invalid value: "
              + unit.toPlainString()
              + ": factor MultipleOf declared for "
              + path
              + " must be positive: "
              + unit.toPlainString());
    } else if (unit != null && number.remainder(unit).signum() != 0) {
      invalid(path, json(value), "should be a multiple of " + unit.toPlainString());
    }
    BigDecimal least = limits.minimum();
    if (least != null && number.compareTo(least) < (limits.aboveMinimum() ? 1 : 0)) {
      invalid(
          path,
          json(value),
          "should be greater than "
              + (limits.aboveMinimum() ? "" : "or equal to ")
              + least.toPlainString());
    }
    BigDecimal most = limits.maximum();
    if (most != null && number.compareTo(most) > (limits.belowMaximum() ? -1 : 0)) {
      invalid(
          path,
          json(value),
          "should be less than "
              + (limits.belowMaximum() ? "" : "or equal to ")
              + most.toPlainString());
    }
  }

  // ---- what holds others

  private void items(ArrayNode array, @Nullable JsonNode old, Node schema, String path) {
    matches += 2;
    Node items = schema.items();
    if (items != null) {
      for (int i = 0; i < array.size(); i++) {
        at(array.get(i), before(schema, array.get(i), old), items, path + "[" + i + "]");
      }
    }
    Node.Range range = schema.limits().items();
    if (range.isBelow(array.size())) {
      invalid(
          path, Integer.toString(array.size()), "should have at least " + range.min() + " items");
    }
    tooMany(range, array.size(), path);
  }

  /** Only items with keys can be told to be the same as before. */
  private static @Nullable JsonNode before(Node list, JsonNode item, @Nullable JsonNode old) {
    if (list.listType() != Schema.ListType.MAP || old == null) {
      return null;
    }
    for (JsonNode before : old) {
      boolean same = true;
      for (String key : list.listKeys()) {
        same &= before.path(key).equals(item.path(key));
      }
      if (same) {
        return before;
      }
    }
    return null;
  }

  private void object(ObjectNode object, @Nullable JsonNode old, Node schema, String path) {
    matches++;
    Node.Limits limits = schema.limits();
    if (limits.fields().isBelow(object.size())) {
      invalid(
          path,
          Integer.toString(object.size()),
          "should have at least " + limits.fields().min() + " properties");
    }
    tooMany(limits.fields(), object.size(), path);
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      String name = field.getKey();
      Node known = schema.properties().get(name);
      if (known == null && schema.closed()) {
        add(
            FieldError.Reason.INVALID,
            path,
            "Invalid value: "
                + quoted(name)
                + ": "
                + path
                + "."
                + name
                + " in body is a forbidden property");
      } else if (known == null) {
        known = schema.additional();
      }
      if (known != null) {
        JsonNode before = old == null || schema.atomic() ? null : old.get(name);
        at(field.getValue(), before, known, child(path, name));
      }
    }
    for (String field : limits.required()) {
      if (!object.has(field)) {
        add(FieldError.Reason.REQUIRED, child(path, field), "Required value");
      }
    }
  }

  private void tooMany(Node.Range range, int actual, String path) {
    if (range.isAbove(actual)) {
      add(
          FieldError.Reason.TOO_MANY,
          path,
          range.max() < 0
              ? "Too many: " + actual
              : "Too many: " + actual + ": must have at most " + range.max() + " items");
    }
  }

  // ---- logic

  private void logic(JsonNode value, @Nullable JsonNode old, Node.Limits limits, String path) {
    matches += 2;
    if (!limits.anyOf().isEmpty()) {
      anyOf(value, old, limits.anyOf(), path);
    }
    if (!limits.oneOf().isEmpty()) {
      oneOf(value, old, limits.oneOf(), path);
    }
    if (!limits.allOf().isEmpty()) {
      int valid = 0;
      for (Node part : limits.allOf()) {
        Validation held = held(value, old, part, path);
        valid += held.faults.isEmpty() ? 1 : 0;
        merge(held);
      }
      if (valid != limits.allOf().size()) {
        combination(
            path, "must validate all the schemas (allOf)" + (valid == 0 ? ". None validated" : ""));
      }
    }
    if (limits.not() != null && held(value, old, limits.not(), path).faults.isEmpty()) {
      combination(path, "must not validate the schema (not)");
    }
  }

  private void anyOf(JsonNode value, @Nullable JsonNode old, List<Node> parts, String path) {
    Validation best = null;
    for (Node part : parts) {
      Validation held = held(value, old, part, path);
      if (held.faults.isEmpty()) {
        merge(held);
        return;
      }
      if (best == null || held.matches > best.matches) {
        best = held;
      }
    }
    combination(path, "must validate at least one schema (anyOf)");
    if (best != null) {
      merge(best);
    }
  }

  private void oneOf(JsonNode value, @Nullable JsonNode old, List<Node> parts, String path) {
    Validation best = null;
    int valid = 0;
    for (Node part : parts) {
      Validation held = held(value, old, part, path);
      if (held.faults.isEmpty()) {
        valid++;
        best = valid == 1 ? held : best;
      } else if (valid == 0 && (best == null || held.matches > best.matches)) {
        best = held;
      }
    }
    if (valid != 1) {
      combination(
          path,
          "must validate one and only one schema (oneOf). "
              + (valid == 0 ? "Found none valid" : "Found " + valid + " valid alternatives"));
    }
    if (valid < 2 && best != null) {
      merge(best);
    }
  }

  private static Validation held(JsonNode value, @Nullable JsonNode old, Node part, String path) {
    var validation = new Validation();
    validation.all(value, old, part, path);
    return validation;
  }

  private void merge(Validation other) {
    other.faults.forEach(this::add);
    matches += other.matches;
  }

  // ---- words

  private void add(FieldError.Reason reason, String path, String message) {
    add(new Fault(reason, path, message));
  }

  private void add(Fault fault) {
    if (faults.size() < FAULTS_MAX && !faults.contains(fault)) {
      faults.add(fault);
    }
  }

  private void invalid(String path, String value, String words) {
    add(
        FieldError.Reason.INVALID,
        path,
        "Invalid value: " + value + ": " + inBody(path) + " " + words);
  }

  /** Combinations are about no field of their own. */
  private void combination(String path, String words) {
    add(
        new Fault(
            FieldError.Reason.INVALID, null, "Invalid value: \"\": " + quoted(path) + " " + words));
  }

  private static String inBody(String path) {
    return path + " in body";
  }

  private static String child(String path, String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  private static String quoted(String text) {
    return "\"" + text + "\"";
  }

  private static String json(JsonNode value) {
    return new String(Json.encode(value), StandardCharsets.UTF_8);
  }
}
