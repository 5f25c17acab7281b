package dev.evenkeel.serve.kinds.structural;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says where a schema is not structural: where the server could not tell a field's type without
 * looking at the value, or where logic would be about structure.
 */
final class StructuralChecks {

  private static final List<String> LOGIC = List.of("anyOf", "allOf", "oneOf");

  /** The one combination that may name types. */
  private static final JsonNode INTEGER_OR_STRING = integerOrString();

  /** What a part of a combination may not say, and how that is told. */
  private static final Map<String, String> FORBIDDEN_IN_LOGIC =
      Map.ofEntries(
          Map.entry("type", "must be empty to be structural"),
          Map.entry("additionalProperties", "must be undefined to be structural"),
          Map.entry("default", "must be undefined to be structural"),
          Map.entry("title", "must be empty to be structural"),
          Map.entry("description", "must be empty to be structural"),
          Map.entry("nullable", "must be false to be structural"),
          Map.entry(SchemaWords.OPEN_ENDED, "must be false to be structural"),
          Map.entry(SchemaWords.EMBEDDED, "must be false to be structural"),
          Map.entry(SchemaWords.INT_OR_STRING, "must be false to be structural"),
          Map.entry(SchemaWords.LIST_MAP_KEYS, "must be empty to be structural"),
          Map.entry(SchemaWords.LIST_TYPE, "must be undefined to be structural"),
          Map.entry(SchemaWords.MAP_TYPE, "must be undefined to be structural"),
          Map.entry(SchemaWords.VALIDATIONS, "must be empty to be structural"));

  /** Of these any value counts, an empty one too. */
  private static final Set<String> FORBIDDEN_EVEN_IF_EMPTY =
      Set.of(
          "additionalProperties", "default", SchemaWords.LIST_TYPE, SchemaWords.MAP_TYPE);

  /** What a schema may say of the metadata that all objects have, besides their names. */
  private static final Set<String> FINE_OF_METADATA =
      Set.of("type", "default", "properties", "example", "externalDocs");

  private enum Level {
    ROOT("must not be empty at the root"),
    ITEM("must not be empty for specified array items"),
    FIELD("must not be empty for specified object fields");

    private final String typeMissing;

    Level(String typeMissing) {
      this.typeMissing = typeMissing;
    }
  }

  private final Problems problems = new Problems();

  private StructuralChecks() {}

  /**
   * Adds what is wrong, in the order of its text.
   *
   * @return whether it is structural
   */
  static boolean check(JsonNode schema, String path, Problems told) {
    var checks = new StructuralChecks();
    checks.invariants(schema, Level.ROOT, path);
    checks.completeness(schema, schema, path, path);
    List<FieldError> errors = checks.problems.errors();
    errors.stream()
        .sorted(Comparator.comparing(FieldError::toString))
        .forEach(error -> told.add(error.reason(), error.field(), error.message()));
    return errors.isEmpty();
  }

  private void invariants(JsonNode schema, Level level, String path) {
    String type = Meta.text(schema.path("type"));
    if (type.equals("array") && !schema.path("items").isObject()) {
      problems.required(path + ".items", "must be specified");
    }
    if (schema.path("items").isObject()) {
      invariants(schema.path("items"), Level.ITEM, path + ".items");
    }
    for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
      invariants(
          property.getValue(), Level.FIELD, SchemaWords.property(path, property.getKey()));
    }
    if (SchemaWords.has(schema, "additionalProperties")) {
      additional(schema, level, path + ".additionalProperties");
    }
    extensions(schema, path);
    values(
        schema,
        path,
        schema.path("anyOf").equals(INTEGER_OR_STRING),
        schema.path("allOf").path(0).path("anyOf").equals(INTEGER_OR_STRING));
    type(schema, type, level, path);
    if (level == Level.ROOT || SchemaWords.flag(schema, SchemaWords.EMBEDDED)) {
      typeMeta(schema, path);
    }
    if (level == Level.ROOT && schema.path("properties").has("metadata")) {
      metadata(
          schema.path("properties").path("metadata"), SchemaWords.property(path, "metadata"));
    }
    if (SchemaWords.flag(schema, SchemaWords.EMBEDDED)
        && !SchemaWords.flag(schema, SchemaWords.OPEN_ENDED)
        && schema.path("properties").isEmpty()) {
      problems.required(
          path + ".properties",
          "must not be empty if x-kubernetes-embedded-resource is true without"
              + " x-kubernetes-preserve-unknown-fields");
    }
  }

  private void additional(JsonNode schema, Level level, String path) {
    if (level == Level.ROOT) {
      problems.forbidden(path, "must not be used at the root");
    }
    if (SchemaWords.flag(schema, SchemaWords.EMBEDDED)) {
      problems.forbidden(path, "must not be used if x-kubernetes-embedded-resource is set");
    }
    if (schema.path("additionalProperties").isObject()) {
      invariants(schema.path("additionalProperties"), Level.FIELD, path);
    }
  }

  private void extensions(JsonNode schema, String path) {
    if (SchemaWords.flag(schema, SchemaWords.INT_OR_STRING)) {
      for (String other : List.of(SchemaWords.OPEN_ENDED, SchemaWords.EMBEDDED)) {
        if (SchemaWords.flag(schema, other)) {
          problems.invalid(
              path + "." + other,
              schema.path(other),
              "must be false if x-kubernetes-int-or-string is true");
        }
      }
    }
  }

  private void type(JsonNode schema, String type, Level level, String path) {
    String place = path + ".type";
    if (SchemaWords.flag(schema, SchemaWords.EMBEDDED) && !type.equals("object")) {
      mustBe(place, type, "must be object if x-kubernetes-embedded-resource is true");
    } else if (type.isEmpty()
        && !SchemaWords.flag(schema, SchemaWords.INT_OR_STRING)
        && !SchemaWords.flag(schema, SchemaWords.OPEN_ENDED)) {
      problems.required(place, level.typeMissing);
    }
    if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
      problems.invalid(place, type, "must be object at the root");
    }
  }

  private void mustBe(String place, String type, String detail) {
    if (type.isEmpty()) {
      problems.required(place, detail);
    } else {
      problems.invalid(place, type, detail);
    }
  }

  private void typeMeta(JsonNode schema, String path) {
    JsonNode properties = schema.path("properties");
    for (String name : List.of("kind", "apiVersion")) {
      String type = Meta.text(properties.path(name).path("type"));
      if (properties.has(name) && !type.equals("string")) {
        problems.invalid(SchemaWords.property(path, name) + ".type", type, "must be string");
      }
    }
    String type = Meta.text(properties.path("metadata").path("type"));
    if (properties.has("metadata") && !type.equals("object")) {
      problems.invalid(SchemaWords.property(path, "metadata") + ".type", type, "must be object");
    }
  }

  private void metadata(JsonNode metadata, String path) {
    Set<String> names = Set.copyOf(metadata.path("properties").propertyNames());
    boolean fine = Set.of("name", "generateName").containsAll(names);
    for (String word : metadata.propertyNames()) {
      fine &= FINE_OF_METADATA.contains(word) || !SchemaWords.says(metadata, word);
    }
    if (!fine) {
      problems.forbidden(
          path,
          "must not specify anything other than name and generateName, but metadata is implicitly"
              + " specified");
    }
  }

  // ---- logic

  private void values(
      JsonNode schema, String path, boolean typesInAnyOf, boolean typesInFirstOfAll) {
    for (String word : LOGIC) {
      JsonNode parts = schema.path(word);
      for (int i = 0; i < parts.size(); i++) {
        if (!(word.equals("anyOf") && typesInAnyOf)) {
          boolean types = word.equals("allOf") && i == 0 && typesInFirstOfAll;
          part(parts.path(i), path + "." + word + "[" + i + "]", types);
        }
      }
    }
    if (schema.path("not").isObject()) {
      part(schema.path("not"), path + ".not", false);
    }
    pattern(Meta.text(schema.path("pattern")), path + ".pattern");
  }

  private void pattern(String pattern, String path) {
    if (pattern.isEmpty() || pattern.length() > NodeReader.PATTERN_CHARS_MAX) {
      return;
    }
    try {
      Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      problems.invalid(
          path, pattern, "must be a valid regular expression, but isn't: " + e.getMessage());
    }
  }

  private void part(JsonNode part, String path, boolean typesInAnyOf) {
    values(part, path, typesInAnyOf, false);
    if (part.path("items").isObject()) {
      part(part.path("items"), path + ".items", false);
    }
    for (Map.Entry<String, JsonNode> property : part.path("properties").properties()) {
      part(property.getValue(), SchemaWords.property(path, property.getKey()), false);
    }
    FORBIDDEN_IN_LOGIC.forEach(
        (word, detail) -> {
          if (FORBIDDEN_EVEN_IF_EMPTY.contains(word)
              ? SchemaWords.has(part, word)
              : SchemaWords.says(part, word)) {
            problems.forbidden(path + "." + word, detail);
          }
        });
    if (part.path("properties").has("metadata")) {
      problems.forbidden(
          SchemaWords.property(path, "metadata"), "must not be specified in a nested context");
    }
  }

  // ---- what logic is about must be there apart from it

  private void completeness(JsonNode logic, JsonNode schema, String path, String logicPath) {
    if (logic.path("not").isObject()) {
      covered(logic.path("not"), schema, path, logicPath + ".not");
    }
    for (String word : LOGIC) {
      JsonNode parts = logic.path(word);
      for (int i = 0; i < parts.size(); i++) {
        covered(parts.path(i), schema, path, logicPath + "." + word + "[" + i + "]");
      }
    }
  }

  private void covered(JsonNode part, JsonNode schema, String path, String partPath) {
    if (!schema.isObject()) {
      problems.required(path, "because it is defined in " + partPath);
      return;
    }
    completeness(part, schema, path, partPath);
    if (part.path("items").isObject()) {
      covered(part.path("items"), schema.path("items"), path + ".items", partPath + ".items");
    }
    for (Map.Entry<String, JsonNode> property : part.path("properties").properties()) {
      covered(
          property.getValue(),
          schema.path("properties").path(property.getKey()),
          SchemaWords.property(path, property.getKey()),
          SchemaWords.property(partPath, property.getKey()));
    }
  }

  private static JsonNode integerOrString() {
    var parts = JsonNodeFactory.instance.arrayNode();
    for (String type : List.of("integer", "string")) {
      ObjectNode part = JsonNodeFactory.instance.objectNode();
      parts.add(part.put("type", type));
    }
    return parts;
  }
}
