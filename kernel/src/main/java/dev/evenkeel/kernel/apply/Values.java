package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The order of values and the ways to print them, as Go has them. */
final class Values {

  private Values() {}

  static boolean equal(JsonNode one, JsonNode other) {
    return one.equals(other) || compare(one, other) == 0;
  }

  /** Numbers before texts before truths before lists before maps before null. */
  static int compare(JsonNode one, JsonNode other) {
    int rank = rank(one);
    int otherRank = rank(other);
    if (rank != otherRank) {
      // A whole number and another meet as numbers, not by rank.
      return one.isNumber() && other.isNumber()
          ? Double.compare(one.doubleValue(), other.doubleValue())
          : Integer.compare(rank, otherRank);
    }
    return switch (rank) {
      case 0 -> Double.compare(one.doubleValue(), other.doubleValue());
      case 1 -> Long.compare(one.longValue(), other.longValue());
      case 2 -> compareTexts(one.stringValue(), other.stringValue());
      case 3 -> Boolean.compare(one.booleanValue(), other.booleanValue());
      case 4 -> compareLists((ArrayNode) one, (ArrayNode) other);
      case 5 -> compareMaps((ObjectNode) one, (ObjectNode) other);
      default -> 0;
    };
  }

  private static int rank(JsonNode node) {
    return switch (node.getNodeType()) {
      case NUMBER -> node.isIntegralNumber() ? 1 : 0;
      case STRING -> 2;
      case BOOLEAN -> 3;
      case ARRAY -> 4;
      case OBJECT -> 5;
      default -> 6;
    };
  }

  private static int compareLists(ArrayNode one, ArrayNode other) {
    for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
      int order = compare(one.get(i), other.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(one.size(), other.size());
  }

  private static int compareMaps(ObjectNode one, ObjectNode other) {
    List<String> names = sortedNames(one);
    List<String> otherNames = sortedNames(other);
    for (int i = 0; i < Math.min(names.size(), otherNames.size()); i++) {
      int order = compareTexts(names.get(i), otherNames.get(i));
      if (order == 0) {
        order = compare(one.path(names.get(i)), other.path(otherNames.get(i)));
      }
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(names.size(), otherNames.size());
  }

  private static List<String> sortedNames(ObjectNode object) {
    List<String> names = new ArrayList<>(object.propertyNames());
    names.sort(Values::compareTexts);
    return names;
  }

  /** By code points: that is how Go orders UTF-8, and Java's own order differs beyond the BMP. */
  static int compareTexts(String one, String other) {
    int length = Math.min(one.length(), other.length());
    for (int i = 0; i < length; i++) {
      char a = one.charAt(i);
      char b = other.charAt(i);
      if (a != b) {
        boolean highA = Character.isSurrogate(a);
        boolean highB = Character.isSurrogate(b);
        return highA == highB ? Character.compare(a, b) : highA ? 1 : -1;
      }
    }
    return Integer.compare(one.length(), other.length());
  }

  /** As JSON inside a path element: what HTML reads is escaped, as Go's encoder does. */
  static void appendJson(StringBuilder out, JsonNode value) {
    if (value.isString()) {
      appendQuoted(out, value.stringValue(), true);
    } else {
      out.append(new String(Json.encode(value), StandardCharsets.UTF_8));
    }
  }

  /** A JSON text in quotes. */
  static void appendQuoted(StringBuilder out, String text, boolean escapeHtml) {
    out.append('"');
    appendEscaped(out, text, escapeHtml);
    out.append('"');
  }

  /** What stands between the quotes. */
  static void appendEscaped(StringBuilder out, String text, boolean escapeHtml) {
    if (isPlain(text)) {
      out.append(text);
      return;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          boolean html = c == '<' || c == '>' || c == '&' || c == 0x2028 || c == 0x2029;
          if (c < ' ' || (escapeHtml && html)) {
            out.append("\\u");
            for (int shift = 12; shift >= 0; shift -= 4) {
              out.append(Character.forDigit((c >> shift) & 0xf, 16));
            }
          } else {
            out.append(c);
          }
        }
      }
    }
  }

  /** Whether it surely needs no escapes: most names do not. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&') {
        return false;
      }
    }
    return true;
  }

  /** For people: texts in quotes. */
  static String printed(JsonNode value) {
    return value.isString() ? quoted(value.stringValue()) : plain(value);
  }

  /** As Go's {@code %v} prints what was decoded from JSON. */
  static String plain(JsonNode value) {
    return switch (value) {
      case ObjectNode object -> {
        var sorted = new TreeMap<String, JsonNode>(Values::compareTexts);
        object.forEachEntry(sorted::put);
        var text = new StringBuilder("map[");
        sorted.forEach(
            (name, member) ->
                text.append(text.length() > 4 ? " " : "")
                    .append(name)
                    .append(':')
                    .append(plain(member)));
        yield text.append(']').toString();
      }
      case ArrayNode array -> {
        List<String> items = new ArrayList<>();
        array.forEach(item -> items.add(plain(item)));
        yield "[" + String.join(" ", items) + "]";
      }
      default -> value.isNull() ? "<nil>" : value.asString();
    };
  }

  /** As Go's {@code %q} prints a text. */
  static String quoted(String text) {
    var out = new StringBuilder(text.length() + 2).append('"');
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '"', '\\' -> out.append('\\').append((char) c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                  if (c < ' ' || c == 0x7f) {
                    out.append("\\x%02x".formatted(c));
                  } else {
                    out.appendCodePoint(c);
                  }
                }
              }
            });
    return out.append('"').toString();
  }
}
