package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One step of a path into an object. Their order is that in which {@code fieldsV1} has them. */
public sealed interface PathElement extends Comparable<PathElement> {

  /** A field of an object or a key of a map. */
  record FieldName(String name) implements PathElement {}

  /**
   * The item of a list whose items are told apart by some of their fields.
   *
   * @param fields sorted by name
   */
  record Key(List<KeyField> fields) implements PathElement {
    public Key {
      fields =
          fields.stream()
              .sorted(Comparator.comparing(KeyField::name, Values::compareTexts))
              .toList();
    }
  }

  /** A field that tells items apart, and this item's value of it. */
  record KeyField(String name, JsonNode value) {}

  /** The item of a set. */
  record Value(JsonNode value) implements PathElement {}

  /** The item at a place, of lists whose items are not told apart. */
  record Index(int index) implements PathElement {}

  /**
   * Reads {@code f:spec} and the like.
   *
   * @return null for a sort of step that is not known: a later version may know it
   * @throws JsonException if it is malformed
   */
  static @Nullable PathElement parse(String text) {
    if (text.length() < 2) {
      throw new JsonException("key must be 2 characters long:");
    }
    if (text.charAt(1) != ':') {
      throw new JsonException("missing colon: " + text);
    }
    String rest = text.substring(2);
    return switch (text.charAt(0)) {
      case 'f' -> new FieldName(rest);
      case 'v' -> new Value(json(rest));
      case 'k' -> key(json(rest));
      case 'i' -> new Index(index(rest));
      default -> null;
    };
  }

  private static JsonNode json(String text) {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  private static PathElement key(JsonNode json) {
    if (!(json instanceof ObjectNode object)) {
      throw new JsonException("a key is not an object");
    }
    List<KeyField> fields = new ArrayList<>(object.size());
    object.forEachEntry((name, value) -> fields.add(new KeyField(name, value)));
    return new Key(fields);
  }

  private static int index(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new JsonException("strconv.Atoi: parsing \"" + text + "\": invalid syntax");
    }
  }

  /** What {@link #parse} reads. */
  default String text() {
    var out = new StringBuilder();
    switch (this) {
      case FieldName(String name) -> out.append("f:").append(name);
      case Key(List<KeyField> fields) -> {
        out.append("k:");
        String before = "{";
        for (KeyField field : fields) {
          out.append(before);
          Values.appendQuoted(out, field.name(), false);
          out.append(':');
          Values.appendJson(out, field.value());
          before = ",";
        }
        out.append(fields.isEmpty() ? "{}" : "}");
      }
      case Value(JsonNode value) -> Values.appendJson(out.append("v:"), value);
      case Index(int index) -> out.append("i:").append(index);
    }
    return out.toString();
  }

  /** For people: {@code .name}, {@code [name="a"]}, {@code [="x"]}, {@code [0]}. */
  default String printed() {
    return switch (this) {
      case FieldName(String name) -> "." + name;
      case Key(List<KeyField> fields) ->
          "["
              + String.join(
                  ",",
                  fields.stream()
                      .map(field -> field.name() + "=" + Values.printed(field.value()))
                      .toList())
              + "]";
      case Value(JsonNode value) -> "[=" + Values.printed(value) + "]";
      case Index(int index) -> "[" + index + "]";
    };
  }

  @Override
  default int compareTo(PathElement other) {
    if (this instanceof FieldName(String name) && other instanceof FieldName(String otherName)) {
      return Values.compareTexts(name, otherName);
    }
    if (this instanceof Key(var fields) && other instanceof Key(var otherFields)) {
      return compareKeys(fields, otherFields);
    }
    if (this instanceof Value(JsonNode value) && other instanceof Value(JsonNode otherValue)) {
      return Values.compare(value, otherValue);
    }
    if (this instanceof Index(int index) && other instanceof Index(int otherIndex)) {
      return Integer.compare(index, otherIndex);
    }
    return Integer.compare(rank(this), rank(other));
  }

  private static int rank(PathElement element) {
    return switch (element) {
      case FieldName _ -> 0;
      case Key _ -> 1;
      case Value _ -> 2;
      case Index _ -> 3;
    };
  }

  private static int compareKeys(List<KeyField> one, List<KeyField> other) {
    for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
      int order = Values.compareTexts(one.get(i).name(), other.get(i).name());
      if (order == 0) {
        order = Values.compare(one.get(i).value(), other.get(i).value());
      }
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(one.size(), other.size());
  }
}
