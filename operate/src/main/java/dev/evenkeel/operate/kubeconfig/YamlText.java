package dev.evenkeel.operate.kubeconfig;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Writes a tree as YAML in the form people write it: block style, strings bare where they can be.
 */
final class YamlText {

  /** What no reader takes for anything but a string. */
  private static final Pattern BARE =
      Pattern.compile("[A-Za-z/][A-Za-z0-9/_.:+=-]*[A-Za-z0-9/_=+-]");

  private static final Pattern WORDS_WITH_A_MEANING =
      Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null");

  private final StringBuilder text = new StringBuilder();

  private YamlText() {}

  static String of(ObjectNode tree) {
    var writer = new YamlText();
    writer.object(tree, 0);
    return writer.text.toString();
  }

  private void object(ObjectNode object, int indent) {
    object.forEachEntry(
        (name, value) -> {
          text.repeat(' ', indent).append(scalar(name)).append(':');
          member(value, indent);
        });
  }

  private void member(JsonNode value, int indent) {
    if (value instanceof ObjectNode object && !object.isEmpty()) {
      text.append('\n');
      object(object, indent + 2);
    } else if (value instanceof ArrayNode array && !array.isEmpty()) {
      text.append('\n');
      array(array, indent);
    } else {
      text.append(' ').append(leaf(value)).append('\n');
    }
  }

  private void array(ArrayNode array, int indent) {
    for (JsonNode item : array) {
      text.repeat(' ', indent).append('-');
      if (item instanceof ObjectNode object && !object.isEmpty()) {
        int start = text.length();
        object(object, indent + 2);
        // The first member stands beside the dash.
        text.replace(start, start + indent + 2, " ");
      } else if (item instanceof ArrayNode nested && !nested.isEmpty()) {
        text.append('\n');
        array(nested, indent + 2);
      } else {
        text.append(' ').append(leaf(item)).append('\n');
      }
    }
  }

  private static String leaf(JsonNode value) {
    return value instanceof StringNode string ? scalar(string.stringValue()) : json(value);
  }

  private static String scalar(String text) {
    return BARE.matcher(text).matches() && !WORDS_WITH_A_MEANING.matcher(text).matches()
        ? text
        : json(StringNode.valueOf(text));
  }

  /** JSON is YAML too. */
  private static String json(JsonNode value) {
    return new String(Json.encode(value), StandardCharsets.UTF_8);
  }
}
