package dev.evenkeel.serve.kinds.structural;

import static dev.evenkeel.serve.kinds.structural.SchemaWords.EMBEDDED;
import static dev.evenkeel.serve.kinds.structural.SchemaWords.LIST_MAP_KEYS;
import static dev.evenkeel.serve.kinds.structural.SchemaWords.LIST_TYPE;
import static dev.evenkeel.serve.kinds.structural.SchemaWords.MAP_TYPE;
import static dev.evenkeel.serve.kinds.structural.SchemaWords.OPEN_ENDED;
import static dev.evenkeel.serve.kinds.structural.SchemaWords.VALIDATIONS;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Says which words of a schema the server does not support, and which do not go together. */
final class OpenApiChecks {

  private static final List<String> TYPES =
      List.of("array", "boolean", "integer", "number", "object", "string");

  private static final List<String> REASONS =
      List.of(
          "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

  private static final Set<String> META_FIELDS = Set.of("metadata", "kind", "apiVersion");

  /** Words that no schema may use: by the first of them it cannot even be read. */
  private static final List<String> UNREADABLE =
      List.of(
          "id",
          "$schema",
          "$ref",
          "patternProperties",
          "dependencies",
          "additionalItems",
          "definitions");

  private final Problems problems;

  private OpenApiChecks(Problems problems) {
    this.problems = problems;
  }

  /** Adds what is wrong. */
  static void check(JsonNode schema, String path, Problems problems) {
    new OpenApiChecks(problems).at(schema, path, new Around(true, false, null));
  }

  /** Why a schema cannot be read; null if it can. */
  static @Nullable String unreadable(JsonNode schema) {
    for (String word : UNREADABLE) {
      if (SchemaWords.says(schema, word)) {
        return "OpenAPIV3Schema '" + word.replace("$schema", "schema") + "' is not supported";
      }
    }
    if (schema.path("items").isArray() && !schema.path("items").isEmpty()) {
      return "OpenAPIV3Schema 'items' must be a schema, but is an array";
    }
    for (JsonNode inside : inside(schema)) {
      String why = inside.isObject() ? unreadable(inside) : null;
      if (why != null) {
        return why;
      }
    }
    return null;
  }

  private static List<JsonNode> inside(JsonNode schema) {
    List<JsonNode> inside = new java.util.ArrayList<>();
    for (String list : List.of("allOf", "oneOf", "anyOf", "properties")) {
      schema.path(list).forEach(inside::add);
    }
    for (String one : List.of("not", "items", "additionalProperties")) {
      inside.add(schema.path(one));
    }
    return inside;
  }

  /**
   * What a schema's surroundings mean for it.
   *
   * @param root whether it is of the whole object
   * @param meta whether it is of an object's own metadata or type
   * @param noDefaults why no default may stand there; null if one may
   */
  private record Around(boolean root, boolean meta, @Nullable String noDefaults) {

    Around inside() {
      return new Around(false, meta, noDefaults);
    }

    Around withoutDefaults(String reason) {
      return new Around(false, meta, reason);
    }
  }

  private void at(JsonNode schema, String path, Around around) {
    words(schema, path, around);
    inside(schema, path, around);
    if (schema.path(OPEN_ENDED).isBoolean() && !schema.path(OPEN_ENDED).booleanValue()) {
      problems.invalid(
          path + "." + OPEN_ENDED, schema.path(OPEN_ENDED), "must be true or undefined");
    }
    mapType(schema, path);
    listType(schema, path);
    if (Meta.text(schema.path(LIST_TYPE)).equals("map")) {
      listOfMaps(schema, path);
    }
    items(schema, path);
    JsonNode rules = schema.path(VALIDATIONS);
    for (int i = 0; i < rules.size(); i++) {
      rule(rules.path(i), schema, path + "." + VALIDATIONS + "[" + i + "]");
    }
  }

  private void words(JsonNode schema, String path, Around around) {
    String type = Meta.text(schema.path("type"));
    if (!type.isEmpty() && !TYPES.contains(type)) {
      problems.notSupported(path + ".type", type, TYPES);
    }
    if (around.noDefaults != null && SchemaWords.has(schema, "default")) {
      problems.forbidden(path + ".default", "must not be set " + around.noDefaults);
    }
    for (String word : UNREADABLE) {
      boolean said =
          switch (word) {
            case "$schema" -> false;
            case "id", "patternProperties", "definitions" -> SchemaWords.says(schema, word);
            default -> SchemaWords.has(schema, word);
          };
      if (said) {
        problems.forbidden(path + "." + word, word + " is not supported");
      }
    }
    if (type.equals("null")) {
      problems.forbidden(
          path + ".type", "type cannot be set to null, use nullable as an alternative");
    }
    if (schema.path("items").isArray() && !schema.path("items").isEmpty()) {
      problems.forbidden(path + ".items", "items must be a schema object and not an array");
    }
    if (around.meta && SchemaWords.flag(schema, EMBEDDED)) {
      problems.forbidden(path + "." + EMBEDDED, "must not be used inside of resource meta");
    }
    if (SchemaWords.flag(schema, "uniqueItems")) {
      problems.forbidden(
          path + ".uniqueItems",
          "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
  }

  private void inside(JsonNode schema, String path, Around around) {
    JsonNode additional = schema.path("additionalProperties");
    if (SchemaWords.has(schema, "additionalProperties")) {
      if (!schema.path("properties").isEmpty()
          && !(additional.isBoolean() && additional.booleanValue())) {
        problems.forbidden(
            path + ".additionalProperties",
            "additionalProperties and properties are mutual exclusive");
      }
      if (additional.isObject()) {
        at(
            additional,
            path + ".additionalProperties",
            around.meta
                ? around.withoutDefaults("inside additionalProperties applying to object metadata")
                : around.inside());
      }
    }
    for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
      String name = property.getKey();
      Around field = around.inside();
      if ((around.root || SchemaWords.flag(schema, EMBEDDED)) && META_FIELDS.contains(name)) {
        field = new Around(false, true, around.root ? "in top-level " + name : around.noDefaults);
      }
      at(property.getValue(), SchemaWords.property(path, name), field);
    }
    if (schema.path("not").isObject()) {
      at(schema.path("not"), path + ".not", around.inside());
    }
    for (String word : List.of("allOf", "oneOf", "anyOf")) {
      JsonNode parts = schema.path(word);
      for (int i = 0; i < parts.size(); i++) {
        at(parts.path(i), path + "." + word + "[" + i + "]", around.inside());
      }
    }
    if (schema.path("items").isObject()) {
      at(schema.path("items"), path + ".items", around.inside());
    }
  }

  // ---- lists and maps

  private void mapType(JsonNode schema, String path) {
    if (!SchemaWords.has(schema, MAP_TYPE)) {
      return;
    }
    mustBe("object", schema, path, "must be object if x-kubernetes-map-type is specified");
    String word = Meta.text(schema.path(MAP_TYPE));
    if (!word.equals("atomic") && !word.equals("granular")) {
      problems.notSupported(path + "." + MAP_TYPE, word, List.of("atomic", "granular"));
    }
  }

  private void listType(JsonNode schema, String path) {
    String word = Meta.text(schema.path(LIST_TYPE));
    boolean given = SchemaWords.has(schema, LIST_TYPE);
    if (given) {
      if (!Meta.text(schema.path("type")).equals("array")) {
        mustBe("array", schema, path, "must be array if x-kubernetes-list-type is specified");
      } else if (word.equals("set")) {
        setItems(schema.path("items"), path + ".items");
      }
      if (!List.of("atomic", "set", "map").contains(word)) {
        problems.notSupported(path + "." + LIST_TYPE, word, List.of("atomic", "set", "map"));
      }
    }
    if (!schema.path(LIST_MAP_KEYS).isEmpty() && !word.equals("map")) {
      String detail = "must be map if x-kubernetes-list-map-keys is non-empty";
      if (given) {
        problems.invalid(path + "." + LIST_TYPE, word, detail);
      } else {
        problems.required(path + "." + LIST_TYPE, detail);
      }
    }
  }

  private void mustBe(String type, JsonNode schema, String path, String detail) {
    String actual = Meta.text(schema.path("type"));
    if (actual.isEmpty()) {
      problems.required(path + ".type", detail);
    } else if (!actual.equals(type)) {
      problems.invalid(path + ".type", actual, detail);
    }
  }

  /** The members of a set are compared as a whole, so each must be one. */
  private void setItems(JsonNode items, String path) {
    String detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
    switch (Meta.text(items.path("type"))) {
      case "array" -> {
        if (SchemaWords.has(items, LIST_TYPE)
            && !Meta.text(items.path(LIST_TYPE)).equals("atomic")) {
          problems.invalid(path + "." + LIST_TYPE, items.path(LIST_TYPE), detail);
        }
      }
      case "object" -> {
        if (!Meta.text(items.path(MAP_TYPE)).equals("atomic")) {
          problems.invalid(path + "." + MAP_TYPE, nullIfMissing(items.path(MAP_TYPE)), detail);
        }
      }
      default -> {}
    }
  }

  private static JsonNode nullIfMissing(JsonNode value) {
    return value.isMissingNode()
        ? tools.jackson.databind.node.JsonNodeFactory.instance.nullNode()
        : value;
  }

  private void listOfMaps(JsonNode schema, String path) {
    JsonNode keys = schema.path(LIST_MAP_KEYS);
    String keysPath = path + "." + LIST_MAP_KEYS;
    if (keys.isEmpty()) {
      problems.required(keysPath, "must not be empty if x-kubernetes-list-type is map");
    }
    JsonNode items = schema.path("items");
    if (!SchemaWords.has(schema, "items")) {
      problems.required(path + ".items", "must have a schema if x-kubernetes-list-type is map");
      return;
    }
    if (!items.isObject()) {
      problems.invalid(
          path + ".items", items, "must only have a single schema if x-kubernetes-list-type is map");
      return;
    }
    String type = Meta.text(items.path("type"));
    if (!type.equals("object")) {
      problems.invalid(
          path + ".items.type",
          type,
          "must be object if parent array's x-kubernetes-list-type is map");
      return;
    }
    Set<String> seen = new HashSet<>();
    for (JsonNode key : keys) {
      String name = Meta.text(key);
      JsonNode property = items.path("properties").path(name);
      String keyType = Meta.text(property.path("type"));
      if (property.isMissingNode()) {
        problems.invalid(keysPath, keys, "entries must all be names of item properties");
      } else if (keyType.equals("array") || keyType.equals("object")) {
        problems.invalid(
            SchemaWords.property(path + ".items", name) + ".type",
            type,
            "must be a scalar type if parent array's x-kubernetes-list-type is map");
      }
      if (!seen.add(name)) {
        problems.invalid(keysPath, keys, "must not contain duplicate entries");
      }
    }
  }

  /** What tells items apart must be there. */
  private void items(JsonNode schema, String path) {
    JsonNode items = schema.path("items");
    String word = Meta.text(schema.path(LIST_TYPE));
    if (!items.isObject() || !(word.equals("set") || word.equals("map"))) {
      return;
    }
    if (SchemaWords.flag(items, "nullable")) {
      problems.forbidden(
          path + ".items.nullable", "cannot be nullable when x-kubernetes-list-type is " + word);
    }
    if (!word.equals("map")) {
      return;
    }
    Set<String> required = new HashSet<>();
    items.path("required").forEach(name -> required.add(Meta.text(name)));
    for (JsonNode key : schema.path(LIST_MAP_KEYS)) {
      String name = Meta.text(key);
      JsonNode property = items.path("properties").path(name);
      String place = SchemaWords.property(path + ".items", name);
      if (property.isMissingNode()) {
        continue;
      }
      if (!required.contains(name) && !SchemaWords.has(property, "default")) {
        problems.required(
            place + ".default",
            "this property is in x-kubernetes-list-map-keys, so it must have a default or be a"
                + " required property");
      }
      if (SchemaWords.flag(property, "nullable")) {
        problems.forbidden(
            place + ".nullable",
            "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
      }
    }
  }

  // ---- rules

  private void rule(JsonNode rule, JsonNode schema, String path) {
    String expression = Meta.text(rule.path("rule"));
    String message = Meta.text(rule.path("message"));
    if (expression.isBlank()) {
      problems.required(path + ".rule", "rule is not specified");
    } else if (!message.isEmpty() && message.isBlank()) {
      problems.invalid(path + ".message", message, "must be non-empty if specified");
    } else if (hasLineBreaks(message.strip())) {
      problems.invalid(path + ".message", message, "must not contain line breaks");
    } else if (hasLineBreaks(expression.strip()) && message.isBlank()) {
      problems.required(
          path + ".message", "message must be specified if rule contains line breaks");
    }
    String messageExpression = Meta.text(rule.path("messageExpression"));
    if (!messageExpression.isEmpty() && messageExpression.isBlank()) {
      problems.required(
          path + ".messageExpression", "messageExpression must be non-empty if specified");
    }
    if (SchemaWords.has(rule, "reason") && !REASONS.contains(Meta.text(rule.path("reason")))) {
      problems.notSupported(path + ".reason", Meta.text(rule.path("reason")), REASONS);
    }
    String fieldPath = Meta.text(rule.path("fieldPath"));
    if (!fieldPath.isEmpty()) {
      fieldPath(fieldPath, schema, path + ".fieldPath");
    }
  }

  private void fieldPath(String fieldPath, JsonNode schema, String path) {
    if (fieldPath.isBlank()) {
      problems.invalid(path, fieldPath, "must be non-empty if specified");
    }
    if (hasLineBreaks(fieldPath)) {
      problems.invalid(path, fieldPath, "must not contain line breaks");
    }
    try {
      FieldPath.of(fieldPath, schema, true);
    } catch (IllegalArgumentException e) {
      problems.invalid(path, fieldPath, "must be a valid path");
    }
  }

  private static boolean hasLineBreaks(String text) {
    return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
  }
}
