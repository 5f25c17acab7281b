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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compiles an {@code openAPIV3Schema}. Whether it is one that the server accepts is somebody else's
 * to check; what cannot be read counts as nothing.
 *
 * <p>Size and depth are bounded: a schema is compiled on the thread that serves its author.
 */
final class NodeReader {

  static final int PATTERN_CHARS_MAX = 4_096;

  private static final int NODES_MAX = 20_000;
  private static final int DEPTH_MAX = 64;

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
    return new NodeReader(problems).node(schema, path, 0);
  }

  private Node node(JsonNode json, String path, int depth) {
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
    JsonNode defaultValue = schema.path("default");
    boolean defaultsInside = !defaultValue.isMissingNode() && !defaultValue.isNull();
    Map<String, Node> properties = new LinkedHashMap<>(schema.path("properties").size() * 2);
    for (Map.Entry<String, JsonNode> entry : schema.path("properties").properties()) {
      Node property =
          node(entry.getValue(), SchemaWords.property(path, entry.getKey()), depth + 1);
      properties.put(entry.getKey(), property);
      defaultsInside |= property.defaultsInside();
    }
    Node items = null;
    if (schema.path("items").isObject()) {
      items = node(schema.path("items"), path + ".items", depth + 1);
      defaultsInside |= items.defaultsInside();
    }
    JsonNode values = schema.path("additionalProperties");
    Node additional = null;
    if (values.isObject()) {
      additional = node(values, path + ".additionalProperties", depth + 1);
      defaultsInside |= additional.defaultsInside();
    } else if (values.isBoolean()) {
      additional = NOTHING;
    }
    return new Node(
        Meta.text(schema.path("type")),
        flag(schema, "nullable"),
        flag(schema, SchemaWords.INT_OR_STRING),
        flag(schema, SchemaWords.OPEN_ENDED),
        flag(schema, SchemaWords.EMBEDDED),
        properties.isEmpty() ? Map.of() : properties,
        additional,
        values.isBoolean() && !values.booleanValue(),
        items,
        listType(schema),
        texts(schema.path(SchemaWords.LIST_MAP_KEYS)),
        Meta.text(schema.path(SchemaWords.MAP_TYPE)).equals("atomic"),
        defaultValue.isMissingNode() || defaultValue.isNull() ? null : defaultValue,
        defaultsInside,
        limits(schema, path, depth),
        rules(schema));
  }

  private static Schema.ListType listType(ObjectNode schema) {
    return switch (Meta.text(schema.path(SchemaWords.LIST_TYPE))) {
      case "set" -> Schema.ListType.SET;
      case "map" -> Schema.ListType.MAP;
      default -> Schema.ListType.ATOMIC;
    };
  }

  private Node.Limits limits(ObjectNode schema, String path, int depth) {
    String text = Meta.text(schema.path("pattern"));
    List<JsonNode> choices = new ArrayList<>(0);
    schema.path("enum").forEach(choices::add);
    Node.Limits limits =
        new Node.Limits(
            texts(schema.path("required")),
            List.copyOf(choices),
            pattern(text, path),
            text,
            Formats.supported(Meta.text(schema.path("format"))),
            number(schema.path("minimum")),
            flag(schema, "exclusiveMinimum"),
            number(schema.path("maximum")),
            flag(schema, "exclusiveMaximum"),
            number(schema.path("multipleOf")),
            range(schema, "minLength", "maxLength"),
            range(schema, "minItems", "maxItems"),
            range(schema, "minProperties", "maxProperties"),
            logic(schema, "allOf", path, depth),
            logic(schema, "anyOf", path, depth),
            logic(schema, "oneOf", path, depth),
            schema.path("not").isObject()
                ? node(schema.path("not"), path + ".not", depth + 1)
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
      // Told by those who check what is structural.
      return null;
    }
  }

  private static Node.Range range(ObjectNode schema, String min, String max) {
    boolean below = schema.path(min).isNumber();
    boolean above = schema.path(max).isNumber();
    return below || above
        ? new Node.Range(
            schema.path(min).asLong(Long.MIN_VALUE), schema.path(max).asLong(Long.MAX_VALUE))
        : Node.Range.ALL;
  }

  private List<Node> logic(ObjectNode schema, String word, String path, int depth) {
    if (schema.path(word).isEmpty()) {
      return List.of();
    }
    List<Node> parts = new ArrayList<>();
    int index = 0;
    for (JsonNode part : schema.path(word)) {
      parts.add(node(part, path + "." + word + "[" + index + "]", depth + 1));
      index++;
    }
    return parts;
  }

  private static List<ObjectNode> rules(ObjectNode schema) {
    List<ObjectNode> rules = new ArrayList<>(0);
    for (JsonNode rule : schema.path(SchemaWords.VALIDATIONS)) {
      if (rule instanceof ObjectNode object && !Meta.text(object.path("rule")).isBlank()) {
        rules.add(object);
      }
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

  /**
   * What a schema that cannot be read counts as, and where any value may stand. Objects there have
   * no fields that anybody knows.
   */
  static final Node NOTHING =
      new Node(
        "",
        true,
        false,
        false,
        false,
        Map.of(),
        null,
        false,
        null,
        Schema.ListType.ATOMIC,
        List.of(),
        false,
        null,
        false,
        UNLIMITED,
        List.of());
}
