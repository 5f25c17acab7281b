package dev.evenkeel.serve.kinds.catalog;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Limits;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Published;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.kernel.schema.TextFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads the line of a field. */
final class FieldLine {

  private static final Set<String> WORDS =
      Set.of(
          "merge",
          "retainKeys",
          "replace",
          "set",
          "map",
          "atomic",
          "granular",
          "or-zero",
          "required",
          "oneof",
          "min",
          "max",
          "positive",
          "length",
          "format",
          "keys",
          "enum",
          "published");

  /** Before a field's name: {@code with.suspend=false}. */
  private static final String WITH = "with.";

  private static final Set<String> LIMITS =
      Set.of("oneof", "min", "max", "positive", "length", "format", "keys");

  private FieldLine() {}

  /**
   * @param tokens name, type, options
   * @param types finds a type by the name that is written there
   */
  static Field read(String[] tokens, Function<String, Schema.Struct> types) {
    boolean published = tokens[1].endsWith("!");
    String type = published ? tokens[1].substring(0, tokens[1].length() - 1) : tokens[1];
    JsonNode defaultValue = null;
    int options = 2;
    if (tokens.length > 2 && tokens[2].equals("=")) {
      defaultValue = value(tokens[3]);
      options = 4;
    }
    Words words = Words.of(tokens, options);
    for (String word : words.values().keySet()) {
      if (!WORDS.contains(word) && !word.startsWith(WITH)) {
        throw new IllegalArgumentException("unknown word " + word);
      }
    }
    Schema schema = schema(type, words, types);
    if (schema instanceof Schema.Struct struct) {
      schema = withDefaults(struct, words);
    }
    boolean atomic =
        words.has("atomic")
            || (schema instanceof Schema.Struct struct
                && struct.atomic()
                && !words.has("granular"));
    return new Field(
        tokens[0],
        schema,
        published,
        defaultValue,
        merge(words),
        atomic,
        limits(words),
        words.has("or-zero"),
        published(words));
  }

  /** The same type, with defaults that hold only here. */
  private static Schema.Struct withDefaults(Schema.Struct struct, Words words) {
    Map<String, JsonNode> defaults = new HashMap<>();
    for (Map.Entry<String, String> word : words.values().entrySet()) {
      if (word.getKey().startsWith(WITH)) {
        defaults.put(word.getKey().substring(WITH.length()), value(word.getValue()));
      }
    }
    if (defaults.isEmpty()) {
      return struct;
    }
    return new Schema.Struct(
        struct.name(),
        struct.keepsUnknown(),
        new Schema.Struct.Traits(struct.admitsOthers(), struct.atomic()),
        () -> withDefaults(struct, defaults));
  }

  private static List<Field> withDefaults(Schema.Struct struct, Map<String, JsonNode> defaults) {
    List<Field> fields = new ArrayList<>();
    for (Field field : struct.fields().values()) {
      JsonNode value = defaults.getOrDefault(field.name(), field.defaultValue());
      fields.add(
          new Field(
              field.name(),
              field.schema(),
              field.required(),
              value,
              field.merge(),
              field.atomic(),
              field.limits(),
              field.zeroIsAbsent(),
              field.published()));
    }
    return fields;
  }

  private static Schema schema(String type, Words words, Function<String, Schema.Struct> types) {
    if (type.startsWith("[")) {
      Schema items = schema(inner(type), Words.NONE, types);
      if (words.has("map")) {
        return new Schema.ListOf(items, Schema.ListType.MAP, words.list("map"));
      }
      return new Schema.ListOf(
          items, words.has("set") ? Schema.ListType.SET : Schema.ListType.ATOMIC, List.of());
    }
    if (type.startsWith("{")) {
      return new Schema.MapOf(schema(inner(type), Words.NONE, types));
    }
    return switch (type) {
      case "string" -> Schema.Scalar.STRING;
      case "int32" -> Schema.Scalar.INT32;
      case "int64" -> Schema.Scalar.INT64;
      case "double" -> Schema.Scalar.DOUBLE;
      case "boolean" -> Schema.Scalar.BOOLEAN;
      case "int-or-string" -> Schema.Scalar.INT_OR_STRING;
      case "quantity" -> Schema.Scalar.QUANTITY;
      case "time" -> Schema.Scalar.TIME;
      case "microtime" -> Schema.Scalar.MICRO_TIME;
      case "bytes" -> Schema.Scalar.BYTES;
      case "any" -> Schema.Scalar.ANY;
      default -> types.apply(type);
    };
  }

  private static String inner(String type) {
    return type.substring(1, type.length() - 1);
  }

  private static MergeStrategy merge(Words words) {
    boolean merge = words.has("merge");
    boolean retainKeys = words.has("retainKeys");
    boolean replace = words.has("replace");
    if (!merge && !retainKeys && !replace) {
      return MergeStrategy.REPLACE;
    }
    String key = words.value("merge");
    return new MergeStrategy(merge, retainKeys, key == null || key.isEmpty() ? null : key, replace);
  }

  private static Limits limits(Words words) {
    boolean required = words.has("required");
    boolean limited = false;
    for (String word : words.values().keySet()) {
      limited |= LIMITS.contains(word);
    }
    if (!limited) {
      return required ? Limits.REQUIRED : Limits.NONE;
    }
    String choices = words.value("oneof");
    Long length = number(words.value("length"));
    return new Limits(
        required,
        choices == null ? List.of() : List.of(choices.split("\\|", -1)),
        number(words.value("min")),
        number(words.value("max")),
        words.value("positive"),
        length == null ? 0 : Math.toIntExact(length),
        format(words.value("format")),
        format(words.value("keys")));
  }

  /** The choices are those that are enforced, unless others, or none, are to be published. */
  private static Published published(Words words) {
    String named = words.has("enum") ? words.value("enum") : words.value("oneof");
    List<String> choices =
        named == null || named.isEmpty()
            ? List.of()
            : List.of(named.replace('_', ' ').split("\\|", -1));
    boolean granular = words.has("granular");
    return choices.isEmpty() && !words.has("published") && !granular
        ? Published.NONE
        : new Published(words.has("published"), choices, granular);
  }

  private static @Nullable TextFormat format(@Nullable String name) {
    return name == null
        ? null
        : TextFormat.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  private static @Nullable Long number(@Nullable String text) {
    return text == null ? null : Long.valueOf(text);
  }

  /** JSON where it looks like that, else a string. Most defaults need no parser. */
  private static JsonNode value(String text) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (text.equals("{}")) {
      return nodes.objectNode();
    }
    if (text.equals("true") || text.equals("false")) {
      return nodes.booleanNode(text.equals("true"));
    }
    if (isNumber(text)) {
      return nodes.numberNode(Long.parseLong(text));
    }
    return "{[\"".indexOf(text.charAt(0)) >= 0
        ? Json.parse(text.getBytes(StandardCharsets.UTF_8))
        : nodes.stringNode(text);
  }

  private static boolean isNumber(String text) {
    for (int i = text.startsWith("-") ? 1 : 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}
