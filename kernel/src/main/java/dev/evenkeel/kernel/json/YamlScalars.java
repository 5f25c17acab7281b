package dev.evenkeel.kernel.json;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What a YAML scalar means. Kubernetes reads YAML 1.1, in which {@code yes} and {@code on} are true
 * and {@code 010} is eight; a plain text that is nothing else is a string.
 */
final class YamlScalars {

  private static final String TAGS = "tag:yaml.org,2002:";

  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");

  private static final Set<String> TRUES =
      Set.of("true", "True", "TRUE", "yes", "Yes", "YES", "y", "Y", "on", "On", "ON");

  private static final Set<String> FALSES =
      Set.of("false", "False", "FALSE", "no", "No", "NO", "n", "N", "off", "Off", "OFF");

  private static final Set<String> NOT_FINITE =
      Set.of(
          ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan",
          ".NaN", ".NAN");

  /** No text longer than that is taken for a number. */
  private static final int NUMBER_CHARS_MAX = 400;

  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private YamlScalars() {}

  static JsonNode value(ScalarEvent scalar) {
    String text = Texts.whole(scalar.getValue());
    Optional<String> tag = scalar.getTag();
    if (tag.isEmpty()) {
      return scalar.isPlain() ? plain(text) : NODES.stringNode(text);
    }
    return switch (tag.get()) {
      case TAGS + "str", "!" -> NODES.stringNode(text);
      case TAGS + "int", TAGS + "float", TAGS + "bool", TAGS + "null" -> {
        JsonNode value = plain(text);
        if (value.isString()) {
          throw new JsonException("a text does not fit its tag " + tag.get());
        }
        yield value;
      }
      default -> throw unknownTag(tag.get());
    };
  }

  /** Refuses all tags but the one that says the obvious. */
  static void checkTag(Optional<String> tag, String expected) {
    if (tag.isPresent() && !tag.get().equals(expected) && !tag.get().equals("!")) {
      throw unknownTag(tag.get());
    }
  }

  private static JsonException unknownTag(String tag) {
    return new JsonException("unknown tag " + tag);
  }

  private static JsonNode plain(String text) {
    if (NULLS.contains(text)) {
      return NODES.nullNode();
    }
    if (TRUES.contains(text)) {
      return NODES.booleanNode(true);
    }
    if (FALSES.contains(text)) {
      return NODES.booleanNode(false);
    }
    if (NOT_FINITE.contains(text)) {
      throw new JsonException("a number is out of range");
    }
    @Nullable JsonNode number = startsAsNumber(text) ? number(text.replace("_", "")) : null;
    return number == null ? NODES.stringNode(text) : number;
  }

  private static boolean startsAsNumber(String text) {
    char first = text.charAt(0);
    return text.length() <= NUMBER_CHARS_MAX
        && ((first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.');
  }

  private static @Nullable JsonNode number(String text) {
    boolean signed = text.startsWith("-") || text.startsWith("+");
    String digits = signed ? text.substring(1) : text;
    int radix = radix(digits);
    String significant = digits.substring(prefixLength(digits, radix));
    if (!significant.isEmpty() && isAllDigits(significant, radix)) {
      return whole(text, significant, radix);
    }
    return FLOAT.matcher(text).matches() ? finite(Double.parseDouble(text)) : null;
  }

  private static int radix(String digits) {
    if (digits.length() < 2 || digits.charAt(0) != '0') {
      return 10;
    }
    return switch (digits.charAt(1)) {
      case 'x', 'X' -> 16;
      case 'b', 'B' -> 2;
      case '0', '1', '2', '3', '4', '5', '6', '7', 'o', 'O' -> 8;
      default -> 10;
    };
  }

  private static int prefixLength(String digits, int radix) {
    if (radix == 10) {
      return 0;
    }
    char second = digits.charAt(1);
    return second >= '0' && second <= '9' ? 1 : 2;
  }

  private static boolean isAllDigits(String text, int radix) {
    // The parameter is ASCII or no digits at all: other scripts' digits are texts.
    return text.chars().allMatch(c -> c < 128 && Character.digit(c, radix) >= 0);
  }

  private static JsonNode whole(String text, String digits, int radix) {
    try {
      return NODES.numberNode(Long.parseLong((text.startsWith("-") ? "-" : "") + digits, radix));
    } catch (NumberFormatException e) {
      // Too many digits for a long; what is not decimal then is no number at all.
      return radix == 10 ? finite(Double.parseDouble(text)) : NODES.stringNode(text);
    }
  }

  private static JsonNode finite(double number) {
    if (Double.isInfinite(number)) {
      throw new JsonException("a number is out of range");
    }
    return NODES.numberNode(number);
  }
}
