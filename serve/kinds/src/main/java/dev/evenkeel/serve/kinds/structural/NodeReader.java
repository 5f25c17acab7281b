package dev.evenkeel.serve.kinds.structural;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compiles an {@code openAPIV3Schema}, and says where it is not structural: where the server could
 * not tell a field's type without looking at the value.
 *
 * <p>Size and depth are bounded: a schema is compiled on the thread that serves its author.
 */
final class NodeReader {

  private static final int NODES_MAX = 20_000;
  private static final int DEPTH_MAX = 64;
  private static final int PATTERN_CHARS_MAX = 4_096;

  private static final Set<String> TYPES =
      Set.of("array", "boolean", "integer", "number", "object", "string");

  private static final List<String> UNSUPPORTED =
      List.of("$ref", "definitions", "dependencies", "id", "patternProperties", "$schema");

  /** What may not stand in a part of a logical combination: it would be about structure. */
  private static final List<String> STRUCTURAL =
      List.of(
          "type",
          "additionalProperties",
          "default",
          "nullable",
          "title",
          "description",
          "x-kubernetes-preserve-unknown-fields",
          "x-kubernetes-embedded-resource",
          "x-kubernetes-int-or-string",
          "x-kubernetes-list-type",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-map-type",
          "x-kubernetes-validations");

  private final Problems problems;
  private int nodes;

  private NodeReader(Problems problems) {
    this.problems = problems;
  }

  /**
   * Compiles a whole schema.
   *
   * @param path of the schema in its definition, for the problems
   */
  static Node read(JsonNode schema, String path, Problems problems) {
    var reader = new NodeReader(problems);
    Node root = reader.node(schema, path, 0, Where.ROOT);
    if (schema.isObject() && !root.type().equals("object")) {
      if (root.type().isEmpty()) {
        problems.required(path + ".type", "must not be empty at the root");
      } else {
        problems.invalid(path + ".type", root.type(), "must be object at the root");
      }
    }
    if (problems.isEmpty()) {
      DefaultChecks.check(root, path, problems);
    }
    return root;
  }

  /** Where a schema stands. */
  private enum Where {
    ROOT,
    PROPERTY,
    ITEMS,
    VALUES,
    /** In a part of {@code allOf}, {@code anyOf}, {@code oneOf} or {@code not}. */
    LOGIC,
    /** In a part that says {@code anyOf: integer or string}: types may stand there. */
    INT_OR_STRING
  }

  private Node node(JsonNode json, String path, int depth, Where where) {
    if (!(json instanceof ObjectNode schema)) {
      problems.required(path, "must be a schema");
      return NOTHING;
    }
    if (++nodes > NODES_MAX || depth > DEPTH_MAX) {
      problems.forbidden(
          path,
          nodes > NODES_MAX
              ? "the schema has more than " + NODES_MAX + " parts"
              : "the schema is more than " + DEPTH_MAX + " levels deep");
      return NOTHING;
    }
    forbidden(schema, path, where);
    boolean logic = where == Where.LOGIC || where == Where.INT_OR_STRING;
    boolean intOrString = flag(schema, "x-kubernetes-int-or-string");
    boolean openEnded = flag(schema, "x-kubernetes-preserve-unknown-fields");
    boolean embedded = flag(schema, "x-kubernetes-embedded-resource");
    String type = Meta.text(schema.path("type"));
    if (!logic) {
      type(schema, type, path, where);
    }
    Map<String, Node> properties = new LinkedHashMap<>(schema.path("properties").size() * 2);
    boolean defaultsInside = schema.has("default");
    for (Map.Entry<String, JsonNode> entry : schema.path("properties").properties()) {
      Node property =
          node(
              entry.getValue(),
              path + ".properties[" + entry.getKey() + "]",
              depth + 1,
              logic ? Where.LOGIC : Where.PROPERTY);
      properties.put(entry.getKey(), property);
      defaultsInside |= property.defaultsInside();
    }
    Node items = null;
    if (schema.has("items")) {
      if (schema.path("items").isArray()) {
        problems.forbidden(path + ".items", "items must be a schema object and not an array");
      } else {
        items =
            node(
                schema.path("items"),
                path + ".items",
                depth + 1,
                logic ? Where.LOGIC : Where.ITEMS);
        defaultsInside |= items.defaultsInside();
      }
    } else if (type.equals("array") && !logic) {
      problems.required(path + ".items", "must be specified");
    }
    Node additional = logic ? null : additional(schema, path, depth, properties, where);
    defaultsInside |= additional != null && additional.defaultsInside();
    List<String> keys = texts(schema.path("x-kubernetes-list-map-keys"));
    Schema.ListType listType = listType(schema, type, items, keys, path);
    Node.Limits limits = limits(schema, path, depth, intOrString || where == Where.INT_OR_STRING);
    if (embedded) {
      embedded(schema, type, properties, path);
    }
    return new Node(
        type,
        flag(schema, "nullable"),
        intOrString,
        openEnded,
        embedded,
        properties.isEmpty() ? Map.of() : properties,
        additional,
        items,
        listType,
        keys,
        Meta.text(schema.path("x-kubernetes-map-type")).equals("atomic"),
        schema.get("default"),
        defaultsInside,
        limits,
        rules(schema, path));
  }

  private void forbidden(ObjectNode schema, String path, Where where) {
    for (String field : UNSUPPORTED) {
      if (!schema.path(field).isMissingNode() && !isEmpty(schema.path(field))) {
        problems.forbidden(path + "." + field, field + " is not supported");
      }
    }
    if (flag(schema, "uniqueItems")) {
      problems.forbidden(
          path + ".uniqueItems",
          "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
    if (where != Where.LOGIC && where != Where.INT_OR_STRING) {
      return;
    }
    for (String field : STRUCTURAL) {
      boolean typeIsFine = field.equals("type") && where == Where.INT_OR_STRING;
      if (schema.has(field) && !isEmpty(schema.path(field)) && !typeIsFine) {
        problems.forbidden(path + "." + field, "must be empty to be structural");
      }
    }
  }

  private static boolean isEmpty(JsonNode value) {
    return value.isNull()
        || (value.isString() && value.stringValue().isEmpty())
        || (value.isBoolean() && !value.booleanValue())
        || (value.isContainer() && value.isEmpty());
  }

  private void type(ObjectNode schema, String type, String path, Where where) {
    boolean intOrString = flag(schema, "x-kubernetes-int-or-string");
    boolean openEnded = flag(schema, "x-kubernetes-preserve-unknown-fields");
    if (type.isEmpty()) {
      if (!intOrString && !openEnded && where != Where.ROOT) {
        problems.required(
            path + ".type",
            switch (where) {
              case ITEMS -> "must not be empty for specified array items";
              default -> "must not be empty for specified object fields";
            });
      }
    } else if (!TYPES.contains(type)) {
      problems.notSupported(path + ".type", type, TYPES.stream().sorted().toList());
    } else if (intOrString) {
      problems.invalid(path + ".type", type, "must be empty if x-kubernetes-int-or-string is true");
    }
    if (!type.equals("object") && !type.isEmpty()) {
      for (String field : List.of("properties", "additionalProperties")) {
        if (schema.path(field).isObject() && !schema.path(field).isEmpty()) {
          problems.forbidden(path + "." + field, "must be used only with type object, not " + type);
        }
      }
    }
  }

  private @Nullable Node additional(
      ObjectNode schema, String path, int depth, Map<String, Node> properties, Where where) {
    JsonNode given = schema.path("additionalProperties");
    if (given.isMissingNode() || given.isNull()) {
      return null;
    }
    String place = path + ".additionalProperties";
    if (where == Where.ROOT) {
      problems.forbidden(place, "must not be used at the root");
      return null;
    }
    if (given.isBoolean()) {
      if (!given.booleanValue()) {
        problems.forbidden(place, "must not be false");
        return null;
      }
      return ANYTHING;
    }
    if (!properties.isEmpty()) {
      problems.forbidden(place, "additionalProperties and properties are mutual exclusive");
    }
    return node(given, place, depth + 1, Where.VALUES);
  }

  private Schema.ListType listType(
      ObjectNode schema, String type, @Nullable Node items, List<String> keys, String path) {
    String word = Meta.text(schema.path("x-kubernetes-list-type"));
    String place = path + ".x-kubernetes-list-type";
    String keysPlace = path + ".x-kubernetes-list-map-keys";
    if (!word.isEmpty() && !type.equals("array")) {
      problems.invalid(
          path + ".type", type, "must be array if x-kubernetes-list-type is specified");
    }
    if (!keys.isEmpty() && !word.equals("map")) {
      problems.invalid(place, word, "must be map if x-kubernetes-list-map-keys is non-empty");
    }
    return switch (word) {
      case "", "atomic" -> Schema.ListType.ATOMIC;
      case "set" -> {
        if (items != null && items.nullable()) {
          problems.forbidden(
              path + ".items.nullable", "cannot be nullable when x-kubernetes-list-type is set");
        }
        yield Schema.ListType.SET;
      }
      case "map" -> {
        if (keys.isEmpty()) {
          problems.required(keysPlace, "must not be empty if x-kubernetes-list-type is map");
        }
        if (items != null) {
          mapItems(items, keys, path);
        }
        yield Schema.ListType.MAP;
      }
      default -> {
        problems.notSupported(place, word, List.of("atomic", "map", "set"));
        yield Schema.ListType.ATOMIC;
      }
    };
  }

  private void mapItems(Node items, List<String> keys, String path) {
    if (!items.type().equals("object")) {
      problems.invalid(
          path + ".items.type",
          items.type(),
          "must be object if parent array's x-kubernetes-list-type is map");
      return;
    }
    for (String key : keys) {
      Node property = items.properties().get(key);
      String place = path + ".items.properties[" + key + "]";
      if (property == null) {
        problems.invalid(
            path + ".x-kubernetes-list-map-keys",
            key,
            "entries must all be names of item properties");
      } else {
        if (property.type().equals("array") || property.type().equals("object")) {
          problems.invalid(
              place + ".type",
              property.type(),
              "must be a scalar type if parent array's x-kubernetes-list-type is map");
        }
        if (!items.limits().required().contains(key) && property.defaultValue() == null) {
          problems.required(
              place + ".default",
              "this property is in x-kubernetes-list-map-keys, so it must have a default or be a"
                  + " required property");
        }
      }
    }
  }

  private void embedded(ObjectNode schema, String type, Map<String, Node> properties, String path) {
    if (!type.equals("object")) {
      problems.invalid(
          path + ".type", type, "must be object if x-kubernetes-embedded-resource is true");
    }
    if (properties.isEmpty() && !flag(schema, "x-kubernetes-preserve-unknown-fields")) {
      problems.required(
          path + ".properties",
          "must not be empty if x-kubernetes-embedded-resource is true without"
              + " x-kubernetes-preserve-unknown-fields");
    }
  }

  // ---- limits

  private Node.Limits limits(ObjectNode schema, String path, int depth, boolean intOrString) {
    String text = Meta.text(schema.path("pattern"));
    List<JsonNode> choices = new ArrayList<>(0);
    schema.path("enum").forEach(choices::add);
    Node.Limits limits =
        new Node.Limits(
            texts(schema.path("required")),
            List.copyOf(choices),
            pattern(text, path),
            text,
            Meta.text(schema.path("format")),
            number(schema.path("minimum")),
            flag(schema, "exclusiveMinimum"),
            number(schema.path("maximum")),
            flag(schema, "exclusiveMaximum"),
            number(schema.path("multipleOf")),
            range(schema, "minLength", "maxLength", path),
            range(schema, "minItems", "maxItems", path),
            range(schema, "minProperties", "maxProperties", path),
            logic(schema, "allOf", path, depth, intOrString),
            logic(schema, "anyOf", path, depth, intOrString),
            logic(schema, "oneOf", path, depth, false),
            schema.has("not")
                ? node(schema.path("not"), path + ".not", depth + 1, Where.LOGIC)
                : null);
    // Most have none, and there are many.
    return limits.equals(UNLIMITED) ? UNLIMITED : limits;
  }

  private @Nullable Pattern pattern(String text, String path) {
    if (text.isEmpty()) {
      return null;
    }
    if (text.length() > PATTERN_CHARS_MAX) {
      problems.invalid(
          path + ".pattern", text, "must be no longer than " + PATTERN_CHARS_MAX + " characters");
      return null;
    }
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      problems.invalid(
          path + ".pattern",
          text,
          "must be a valid regular expression, but isn't: " + e.getMessage());
      return null;
    }
  }

  private Node.Range range(ObjectNode schema, String min, String max, String path) {
    long least = schema.path(min).asLong(0);
    long most = schema.path(max).asLong(-1);
    if (schema.path(max).isNumber() && most < 0) {
      problems.invalid(path + "." + max, schema.path(max), "must be greater than or equal to 0");
    }
    return least == 0 && most < 0 ? Node.Range.ALL : new Node.Range(least, most);
  }

  private List<Node> logic(
      ObjectNode schema, String word, String path, int depth, boolean intOrString) {
    if (schema.path(word).isEmpty()) {
      return List.of();
    }
    List<Node> parts = new ArrayList<>();
    int index = 0;
    for (JsonNode part : schema.path(word)) {
      Where where = intOrString && isIntOrString(part, word) ? Where.INT_OR_STRING : Where.LOGIC;
      parts.add(node(part, path + "." + word + "[" + index + "]", depth + 1, where));
      index++;
    }
    return parts;
  }

  /** The one combination that may name types: that of integers and strings, alone or first. */
  private static boolean isIntOrString(JsonNode part, String word) {
    String type = Meta.text(part.path("type"));
    return word.equals("anyOf")
        ? type.equals("integer") || type.equals("string")
        : part.path("anyOf").size() == 2;
  }

  private List<ObjectNode> rules(ObjectNode schema, String path) {
    if (schema.path("x-kubernetes-validations").isEmpty()) {
      return List.of();
    }
    List<ObjectNode> rules = new ArrayList<>();
    int index = 0;
    for (JsonNode rule : schema.path("x-kubernetes-validations")) {
      if (rule instanceof ObjectNode object && !Meta.text(object.path("rule")).isBlank()) {
        rules.add(object);
      } else {
        problems.required(
            path + ".x-kubernetes-validations[" + index + "].rule", "rule is not specified");
      }
      index++;
    }
    return rules;
  }

  private static boolean flag(ObjectNode schema, String name) {
    return schema.path(name).asBoolean(false);
  }

  private static @Nullable BigDecimal number(JsonNode value) {
    return value.isNumber() ? value.decimalValue() : null;
  }

  private static List<String> texts(JsonNode list) {
    if (list.isEmpty()) {
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode item : list) {
      texts.add(Meta.text(item));
    }
    return texts;
  }

  private static final Node.Limits UNLIMITED =
      new Node.Limits(
          List.of(),
          List.of(),
          null,
          "",
          "",
          null,
          false,
          null,
          false,
          null,
          Node.Range.ALL,
          Node.Range.ALL,
          Node.Range.ALL,
          List.of(),
          List.of(),
          List.of(),
          null);

  /** What a schema that cannot be read counts as, and what free values are. */
  private static final Node NOTHING = free(false);

  private static final Node ANYTHING = free(true);

  private static Node free(boolean openEnded) {
    return new Node(
        "",
        true,
        false,
        openEnded,
        false,
        Map.of(),
        null,
        null,
        Schema.ListType.ATOMIC,
        List.of(),
        false,
        null,
        false,
        UNLIMITED,
        List.of());
  }
}
