package dev.evenkeel.serve.kinds.structural;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Schema;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Holds values against a schema, in the words that users of custom kinds know. */
final class Validation {

  private final Problems problems;

  private Validation(Problems problems) {
    this.problems = problems;
  }

  /** A whole object; its metadata is somebody else's to check. */
  static void root(ObjectNode object, Node schema, Problems problems) {
    var validation = new Validation(problems);
    validation.fields(object, schema, "", true);
    validation.limits(object, schema.limits(), "");
  }

  /** A value that stands at a path. */
  static void value(JsonNode value, Node schema, String path, Problems problems) {
    new Validation(problems).at(value, schema, path);
  }

  private void at(JsonNode value, Node schema, String path) {
    if (value.isNull()) {
      if (!schema.nullable() && !schema.type().isEmpty()) {
        wrongType(path, schema.type(), "null");
      }
      return;
    }
    if (!typeFits(value, schema)) {
      wrongType(path, schema.intOrString() ? "integer,string" : schema.type(), typeOf(value));
      return;
    }
    limits(value, schema.limits(), path);
    switch (value) {
      case ObjectNode object -> fields(object, schema, path, schema.embedded());
      case ArrayNode array -> items(array, schema, path);
      default -> {}
    }
  }

  private void fields(ObjectNode object, Node schema, String path, boolean resource) {
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      Node known = schema.at(field.getKey());
      boolean metadata = resource && path.isEmpty() && field.getKey().equals("metadata");
      if (known != null && !metadata) {
        at(field.getValue(), known, child(path, field.getKey()));
      }
    }
    if (resource && !path.isEmpty()) {
      for (String needed : List.of("apiVersion", "kind")) {
        if (!object.path(needed).isString() || object.path(needed).stringValue().isEmpty()) {
          problems.required(child(path, needed), "must not be empty");
        }
      }
    }
  }

  private void items(ArrayNode array, Node schema, String path) {
    Node items = schema.items();
    if (items == null) {
      return;
    }
    for (int i = 0; i < array.size(); i++) {
      at(array.get(i), items, path + "[" + i + "]");
    }
    if (schema.listType() == Schema.ListType.SET || schema.listType() == Schema.ListType.MAP) {
      unique(array, schema, path);
    }
  }

  /** Items of a set are told apart by their value, those of a map by their keys. */
  private void unique(ArrayNode array, Node schema, String path) {
    Set<Object> seen = new HashSet<>();
    for (int i = 0; i < array.size(); i++) {
      JsonNode item = array.get(i);
      if (schema.listType() == Schema.ListType.SET) {
        if (!seen.add(item)) {
          problems.duplicate(path + "[" + i + "]", item);
        }
        continue;
      }
      List<JsonNode> key = new ArrayList<>();
      ObjectNode shown = JsonNodeFactory.instance.objectNode();
      for (String name : schema.listKeys()) {
        key.add(item.path(name));
        if (item.has(name)) {
          shown.set(name, item.path(name));
        }
      }
      if (!seen.add(key)) {
        problems.duplicate(path + "[" + i + "]", shown);
      }
    }
  }

  // ---- limits

  private void limits(JsonNode value, Node.Limits limits, String path) {
    if (!limits.choices().isEmpty() && !isChoice(value, limits)) {
      problems.add(
          FieldError.Reason.NOT_SUPPORTED,
          shownPath(path),
          "Unsupported value: " + json(value) + ": supported values: " + choices(limits));
    }
    switch (value) {
      case StringNode text -> text(text.stringValue(), limits, path);
      case ObjectNode object -> object(object, limits, path);
      case ArrayNode array -> array(array, limits, path);
      default -> {
        if (value.isNumber()) {
          number(value, limits, path);
        }
      }
    }
    logic(value, limits, path);
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

  private static String choices(Node.Limits limits) {
    List<String> words = new ArrayList<>();
    for (JsonNode choice : limits.choices()) {
      words.add("\"" + (choice.isString() ? choice.stringValue() : json(choice)) + "\"");
    }
    return String.join(", ", words);
  }

  private void text(String value, Node.Limits limits, String path) {
    int length = value.codePointCount(0, value.length());
    if (length < limits.length().min()) {
      invalid(path, value, "should be at least " + limits.length().min() + " chars long");
    }
    if (limits.length().isAbove(length)) {
      problems.tooLong(shownPath(path), (int) limits.length().max());
    }
    if (limits.pattern() != null && !limits.pattern().matcher(value).find()) {
      invalid(path, value, "should match '" + limits.patternText() + "'");
    }
    if (!limits.format().isEmpty() && !Formats.accepts(limits.format(), value)) {
      invalid(path, value, "must be of type " + limits.format() + ": " + quoted(value));
    }
  }

  private void number(JsonNode value, Node.Limits limits, String path) {
    BigDecimal number = value.decimalValue();
    BigDecimal least = limits.minimum();
    BigDecimal most = limits.maximum();
    if (least != null && number.compareTo(least) < (limits.aboveMinimum() ? 1 : 0)) {
      invalid(
          path,
          value,
          "should be greater than "
              + (limits.aboveMinimum() ? "" : "or equal to ")
              + least.toPlainString());
    }
    if (most != null && number.compareTo(most) > (limits.belowMaximum() ? -1 : 0)) {
      invalid(
          path,
          value,
          "should be less than "
              + (limits.belowMaximum() ? "" : "or equal to ")
              + most.toPlainString());
    }
    BigDecimal unit = limits.multipleOf();
    if (unit != null && unit.signum() > 0 && number.remainder(unit).signum() != 0) {
      invalid(path, value, "should be a multiple of " + unit.toPlainString());
    }
    boolean whole = limits.format().equals("int32") || limits.format().equals("int64");
    if (whole && !fits(value, limits.format())) {
      invalid(path, value, "must be of type " + limits.format() + ": " + quoted(json(value)));
    }
  }

  private static boolean fits(JsonNode value, String format) {
    return !value.isIntegralNumber()
        || (format.equals("int32") ? value.canConvertToInt() : value.canConvertToLong());
  }

  private void object(ObjectNode object, Node.Limits limits, String path) {
    for (String field : limits.required()) {
      if (!object.has(field)) {
        problems.required(child(path, field), "");
      }
    }
    if (object.size() < limits.fields().min()) {
      invalid(path, object, "should have at least " + limits.fields().min() + " properties");
    }
    if (limits.fields().isAbove(object.size())) {
      problems.tooMany(shownPath(path), object.size(), (int) limits.fields().max());
    }
  }

  private void array(ArrayNode array, Node.Limits limits, String path) {
    if (array.size() < limits.items().min()) {
      invalid(path, array, "should have at least " + limits.items().min() + " items");
    }
    if (limits.items().isAbove(array.size())) {
      problems.tooMany(shownPath(path), array.size(), (int) limits.items().max());
    }
  }

  // ---- logic

  private void logic(JsonNode value, Node.Limits limits, String path) {
    for (Node part : limits.allOf()) {
      part(value, part, path, problems);
    }
    if (!limits.anyOf().isEmpty() && count(value, limits.anyOf(), path) == 0) {
      combination(path, "must validate at least one schema (anyOf)");
    }
    if (!limits.oneOf().isEmpty()) {
      int valid = count(value, limits.oneOf(), path);
      if (valid != 1) {
        combination(
            path,
            "must validate one and only one schema (oneOf). "
                + (valid == 0 ? "Found none valid" : "Found " + valid + " valid alternatives"));
      }
    }
    if (limits.not() != null && count(value, List.of(limits.not()), path) == 1) {
      combination(path, "must not validate the schema (not)");
    }
  }

  private static int count(JsonNode value, List<Node> parts, String path) {
    int valid = 0;
    for (Node part : parts) {
      var found = new Problems();
      part(value, part, path, found);
      if (found.isEmpty()) {
        valid++;
      }
    }
    return valid;
  }

  /** A part of a combination says nothing of structure, so what it does not name is fine. */
  private static void part(JsonNode value, Node part, String path, Problems problems) {
    var validation = new Validation(problems);
    if (!part.type().isEmpty() && !typeFits(value, part)) {
      validation.wrongType(path, part.type(), typeOf(value));
      return;
    }
    validation.limits(value, part.limits(), path);
    if (value instanceof ObjectNode object) {
      for (Map.Entry<String, Node> property : part.properties().entrySet()) {
        JsonNode field = object.get(property.getKey());
        if (field != null) {
          part(field, property.getValue(), child(path, property.getKey()), problems);
        }
      }
    } else if (value instanceof ArrayNode array && part.items() != null) {
      for (int i = 0; i < array.size(); i++) {
        part(array.get(i), part.items(), path + "[" + i + "]", problems);
      }
    }
  }

  // ---- words

  private static boolean typeFits(JsonNode value, Node schema) {
    if (schema.intOrString()) {
      return value.isString() || isWhole(value);
    }
    return switch (schema.type()) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isString();
      case "boolean" -> value.isBoolean();
      case "integer" -> isWhole(value);
      case "number" -> value.isNumber();
      default -> true;
    };
  }

  private static boolean isWhole(JsonNode value) {
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
    problems.add(
        FieldError.Reason.TYPE_INVALID,
        shownPath(path),
        "Invalid value: "
            + quoted(actual)
            + ": "
            + inBody(path)
            + " must be of type "
            + expected
            + ": "
            + quoted(actual));
  }

  private void invalid(String path, String value, String words) {
    problems.invalid(shownPath(path), value, inBody(path) + " " + words);
  }

  private void invalid(String path, JsonNode value, String words) {
    problems.invalid(shownPath(path), value, inBody(path) + " " + words);
  }

  /** Combinations are about no field of their own. */
  private void combination(String path, String words) {
    problems.add(
        FieldError.Reason.INVALID, "<nil>", "Invalid value: \"\": " + quoted(path) + " " + words);
  }

  private static String inBody(String path) {
    return path + " in body";
  }

  private static String shownPath(String path) {
    return path.isEmpty() ? "<nil>" : path;
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
