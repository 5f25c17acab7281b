package dev.evenkeel.serve.kinds.catalog;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Limits;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.kernel.schema.TextFormat;
import dev.evenkeel.serve.kinds.catalog.KindFile.Words;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
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
          "above",
          "length",
          "format",
          "keys");

  private static final Set<String> LIMITS =
      Set.of("oneof", "min", "max", "above", "length", "format", "keys");

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
      if (!WORDS.contains(word)) {
        throw new IllegalArgumentException("unknown word " + word);
      }
    }
    Schema schema = schema(type, words, types);
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
        words.has("or-zero"));
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
    if (words.values().keySet().stream().noneMatch(LIMITS::contains)) {
      return required ? Limits.REQUIRED : Limits.NONE;
    }
    String choices = words.value("oneof");
    Long length = number(words.value("length"));
    return new Limits(
        required,
        choices == null ? List.of() : List.of(choices.split("\\|", -1)),
        number(words.value("min")),
        number(words.value("max")),
        number(words.value("above")),
        length == null ? 0 : Math.toIntExact(length),
        format(words.value("format")),
        format(words.value("keys")));
  }

  private static @Nullable TextFormat format(@Nullable String name) {
    return name == null
        ? null
        : TextFormat.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  private static @Nullable Long number(@Nullable String text) {
    return text == null ? null : Long.valueOf(text);
  }

  /** JSON where it looks like that, else a string. */
  private static JsonNode value(String text) {
    char first = text.charAt(0);
    boolean json =
        "{[\"".indexOf(first) >= 0
            || first == '-'
            || Character.isDigit(first)
            || text.equals("true")
            || text.equals("false");
    return json
        ? Json.parse(text.getBytes(StandardCharsets.UTF_8))
        : JsonNodeFactory.instance.stringNode(text);
  }
}
