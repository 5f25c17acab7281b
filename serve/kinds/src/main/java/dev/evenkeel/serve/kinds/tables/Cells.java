package dev.evenkeel.serve.kinds.tables;

import dev.evenkeel.kernel.api.Meta;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Texts that several kinds share, read from trees of which nothing is certain. */
final class Cells {

  static final String NONE = "<none>";
  static final String UNSET = "<unset>";
  static final String UNKNOWN = "<unknown>";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Cells() {}

  static JsonNode node(String text) {
    return NODES.stringNode(text);
  }

  static JsonNode node(long number) {
    return NODES.numberNode(number);
  }

  static JsonNode node(boolean flag) {
    return NODES.booleanNode(flag);
  }

  /** A node by a path such as {@code spec.template}. */
  static JsonNode at(JsonNode node, String path) {
    JsonNode here = node;
    int start = 0;
    for (int dot; (dot = path.indexOf('.', start)) >= 0; start = dot + 1) {
      here = here.path(path.substring(start, dot));
    }
    return here.path(path.substring(start));
  }

  static String text(JsonNode node, String path) {
    return Meta.text(at(node, path));
  }

  static long number(JsonNode node, String path) {
    return at(node, path).asLong(0);
  }

  static boolean isThere(JsonNode node) {
    return !node.isMissingNode() && !node.isNull();
  }

  static String orElse(String text, String whenEmpty) {
    return text.isEmpty() ? whenEmpty : text;
  }

  /** A string, a number or a flag as text; empty for anything else. */
  static String scalar(JsonNode node) {
    return node.isNumber() || node.isBoolean() ? node.asString() : Meta.text(node);
  }

  static @Nullable Instant instant(JsonNode node) {
    String text = Meta.text(node);
    if (text.isEmpty()) {
      return null;
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }

  static String since(@Nullable Instant then, Instant now) {
    return then == null ? UNKNOWN : HumanDuration.of(Duration.between(then, now));
  }

  static String age(JsonNode object, Instant now) {
    return since(instant(at(object, "metadata.creationTimestamp")), now);
  }

  static boolean isBeingDeleted(JsonNode object) {
    return isThere(at(object, "metadata.deletionTimestamp"));
  }

  /** One field of every item, as strings. */
  static List<String> each(JsonNode items, String path) {
    List<String> texts = new ArrayList<>();
    for (JsonNode item : items) {
      texts.add(text(item, path));
    }
    return texts;
  }

  static List<String> strings(JsonNode items) {
    List<String> texts = new ArrayList<>();
    for (JsonNode item : items) {
      texts.add(scalar(item));
    }
    return texts;
  }

  static String joined(JsonNode items, String path) {
    return String.join(",", each(items, path));
  }

  /** At most so many, then how many more there are. */
  static String shortened(List<String> all, int max, String separator) {
    if (all.size() <= max) {
      return String.join(separator, all);
    }
    return String.join(separator, all.subList(0, max)) + " + " + (all.size() - max) + " more...";
  }

  /** {@code a=1,b=2}, sorted. */
  static String labels(JsonNode map) {
    Map<String, String> sorted = new TreeMap<>(Meta.strings(map));
    return sorted.isEmpty()
        ? NONE
        : sorted.entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue())
            .collect(Collectors.joining(","));
  }

  /** A label selector as the command line would take it; empty if it selects by nothing. */
  static String selector(JsonNode selector) {
    record Requirement(String key, String text) {}
    List<Requirement> requirements = new ArrayList<>();
    Meta.strings(selector.path("matchLabels"))
        .forEach((key, value) -> requirements.add(new Requirement(key, key + "=" + value)));
    for (JsonNode expression : selector.path("matchExpressions")) {
      String key = text(expression, "key");
      requirements.add(new Requirement(key, expression(key, expression)));
    }
    requirements.sort(Comparator.comparing(Requirement::key));
    return requirements.stream().map(Requirement::text).collect(Collectors.joining(","));
  }

  private static String expression(String key, JsonNode expression) {
    String values =
        strings(expression.path("values")).stream().sorted().collect(Collectors.joining(","));
    return switch (text(expression, "operator")) {
      case "In" -> key + " in (" + values + ")";
      case "NotIn" -> key + " notin (" + values + ")";
      case "Exists" -> key;
      case "DoesNotExist" -> "!" + key;
      default -> "<error>";
    };
  }

  /** The condition of that type, or a missing node. */
  static JsonNode condition(JsonNode object, String type) {
    for (JsonNode condition : at(object, "status.conditions")) {
      if (text(condition, "type").equals(type)) {
        return condition;
      }
    }
    return NODES.missingNode();
  }

  static boolean isTrue(JsonNode condition) {
    return text(condition, "status").equals("True");
  }
}
