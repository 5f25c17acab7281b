package dev.evenkeel.kernel.json;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes a tree of a parser's tokens. Used once. */
final class TreeReader {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final JsonParser parser;
  private final boolean surrogates;
  private final boolean merging;
  private final Duplicates duplicates = new Duplicates();

  /**
   * A reader that stands at the first token.
   *
   * @param surrogates whether texts may contain half characters
   * @param merging whether the fields of an object that is given twice come together
   */
  TreeReader(JsonParser parser, boolean surrogates, boolean merging) {
    this.parser = parser;
    this.surrogates = surrogates;
    this.merging = merging;
  }

  List<String> duplicates() {
    return duplicates.found();
  }

  /** The value that begins with the current token. */
  JsonNode value() {
    @Nullable JsonToken token = parser.currentToken();
    if (token == null) {
      throw new JsonException("unexpected end of the body");
    }
    // A switch that matches null as well would be several times as slow.
    return switch (token) {
      case START_OBJECT -> object();
      case START_ARRAY -> array();
      case VALUE_STRING -> NODES.stringNode(whole(parser.getString()));
      case VALUE_NUMBER_INT -> wholeNumber();
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(finite(parser.getDoubleValue()));
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      default -> throw new JsonException("unexpected " + token);
    };
  }

  private String whole(String text) {
    return surrogates ? Texts.whole(text) : text;
  }

  private JsonNode wholeNumber() {
    return switch (parser.getNumberType()) {
      case INT, LONG -> NODES.numberNode(parser.getLongValue());
      default -> NODES.numberNode(finite(parser.getDoubleValue()));
    };
  }

  private static double finite(double number) {
    if (Double.isInfinite(number) || Double.isNaN(number)) {
      throw new JsonException("a number is out of range");
    }
    return number;
  }

  private ObjectNode object() {
    ObjectNode object = NODES.objectNode();
    @Nullable String name;
    while ((name = parser.nextName()) != null) {
      name = whole(name);
      parser.nextToken();
      @Nullable JsonNode previous = object.replace(name, value());
      if (previous != null) {
        duplicates.addField(path(parser.streamReadContext()));
        if (merging
            && previous instanceof ObjectNode before
            && object.get(name) instanceof ObjectNode after) {
          object.set(name, merged(before, after));
        }
      }
    }
    if (parser.currentToken() != JsonToken.END_OBJECT) {
      throw new JsonException("unexpected " + parser.currentToken());
    }
    return object;
  }

  private static ObjectNode merged(ObjectNode before, ObjectNode after) {
    after.forEachEntry(
        (name, value) ->
            before.set(
                name,
                value instanceof ObjectNode inner && before.get(name) instanceof ObjectNode known
                    ? merged(known, inner)
                    : value));
    return before;
  }

  private ArrayNode array() {
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value());
    }
    return array;
  }

  /** Asked of the parser when it is needed: to keep it would cost every field something. */
  private static Deque<Object> path(TokenStreamContext innermost) {
    Deque<Object> steps = new ArrayDeque<>();
    for (@Nullable TokenStreamContext c = innermost; c != null; c = c.getParent()) {
      if (c.inArray()) {
        steps.push(c.getCurrentIndex());
      } else if (c.inObject()) {
        steps.push(c.currentName());
      }
    }
    return steps;
  }
}
