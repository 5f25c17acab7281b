package dev.evenkeel.kernel.schema;

import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.kernel.quantity.QuantityException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.JsonNodeType;

/** How values without parts are written, and what Go's decoder says of wrong ones. */
final class ScalarShape {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Whole numbers beyond that are not exact as doubles. */
  private static final double EXACT_MAX = 1L << 53;

  /** So few digits that no suffix below takes them out of range. */
  private static final int QUANTITY_DIGITS_MAX = 6;

  private ScalarShape() {}

  /** The value as it is to be kept, the same node if it is right already, null if it is wrong. */
  static @Nullable JsonNode of(JsonNode value, Schema.Scalar scalar) {
    return switch (scalar) {
      case STRING -> value.isString() ? value : null;
      case BOOLEAN -> value.isBoolean() ? value : null;
      case INT32 -> whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case INT64 -> whole(value, Long.MIN_VALUE, Long.MAX_VALUE);
      case DOUBLE -> value.isNumber() ? value : null;
      case INT_OR_STRING ->
          value.isString() ? value : whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case QUANTITY -> quantity(value);
      case TIME -> time(value, false);
      case MICRO_TIME -> time(value, true);
      case BYTES -> bytes(value);
      case ANY -> value;
    };
  }

  private static @Nullable JsonNode whole(JsonNode value, long min, long max) {
    if (!value.isNumber()) {
      return null;
    }
    if (value.isIntegralNumber()) {
      long number = value.longValue();
      return number >= min && number <= max ? value : null;
    }
    double number = value.doubleValue();
    if (number != Math.rint(number) || Math.abs(number) > EXACT_MAX) {
      return null;
    }
    return number >= min && number <= max ? NODES.numberNode((long) number) : null;
  }

  private static @Nullable JsonNode quantity(JsonNode value) {
    if (value.isString() && isPlainlyCanonical(value.stringValue())) {
      return value;
    }
    if (!value.isString() && !value.isNumber()) {
      return null;
    }
    Quantity quantity = Quantity.tryParse(quantityText(value));
    return quantity == null ? null : NODES.stringNode(quantity.toString());
  }

  /** A quantity without what is less than a thousandth; others are left as they are. */
  static JsonNode roundedUpToMilli(JsonNode value) {
    if (!value.isString() || isPlainlyCanonical(value.stringValue())) {
      return value;
    }
    Quantity quantity = Quantity.tryParse(value.stringValue());
    if (quantity == null) {
      return value;
    }
    Quantity rounded = quantity.roundedUpToMilli();
    return rounded.equals(quantity) ? value : NODES.stringNode(rounded.toString());
  }

  /** Whether it is canonical, as far as is cheap to see: most quantities are. */
  static boolean isPlainlyCanonical(String text) {
    int digits = 0;
    long number = 0;
    while (digits < text.length()
        && digits < QUANTITY_DIGITS_MAX
        && text.charAt(digits) >= '0'
        && text.charAt(digits) <= '9') {
      number = number * 10 + text.charAt(digits) - '0';
      digits++;
    }
    if (digits == 0 || text.charAt(0) == '0') {
      return text.equals("0");
    }
    int rest = text.length() - digits;
    if (rest == 0 || (rest == 1 && "mkMGTPE".indexOf(text.charAt(digits)) >= 0)) {
      return number % 1000 != 0;
    }
    return rest == 2
        && text.charAt(digits + 1) == 'i'
        && "KMGT".indexOf(text.charAt(digits)) >= 0
        && number % 1024 != 0;
  }

  private static String quantityText(JsonNode value) {
    if (value.isString()) {
      return value.stringValue().strip();
    }
    return value.isIntegralNumber()
        ? Long.toString(value.longValue())
        : Double.toString(value.doubleValue());
  }

  private static @Nullable JsonNode time(JsonNode value, boolean micros) {
    if (!value.isString()) {
      return null;
    }
    String text = value.stringValue();
    String canonical = Timestamps.canonical(text, micros);
    if (canonical == null) {
      return null;
    }
    return canonical.equals(text) ? value : NODES.stringNode(canonical);
  }

  private static @Nullable JsonNode bytes(JsonNode value) {
    if (!value.isString()) {
      return null;
    }
    String text = value.stringValue();
    if (text.indexOf('\n') < 0 && text.indexOf('\r') < 0) {
      return badByte(text) < 0 ? value : null;
    }
    String joined = text.replace("\n", "").replace("\r", "");
    return badByte(joined) < 0 ? NODES.stringNode(joined) : null;
  }

  /** Where the text stops being padded base64; -1 if it is that to its end. */
  private static int badByte(String text) {
    int padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
    int digits = text.length() - padding;
    for (int i = 0; i < digits; i++) {
      char c = text.charAt(i);
      boolean digit =
          (c >= 'A' && c <= 'Z')
              || (c >= 'a' && c <= 'z')
              || (c >= '0' && c <= '9')
              || c == '+'
              || c == '/';
      if (!digit) {
        return i;
      }
    }
    boolean whole = text.length() % 4 == 0 && (padding == 0 || digits % 4 == 4 - padding);
    return whole ? -1 : text.length() / 4 * 4;
  }

  /** What Go has in place of a null inside a list or map. */
  static JsonNode zero(Schema schema) {
    return switch (schema) {
      case Schema.Struct _, Schema.MapOf _ -> NODES.objectNode();
      case Schema.ListOf _ -> NODES.arrayNode();
      case Schema.Scalar scalar ->
          switch (scalar) {
            case INT32, INT64, DOUBLE, INT_OR_STRING -> NODES.numberNode(0L);
            case BOOLEAN -> NODES.booleanNode(false);
            case QUANTITY -> NODES.stringNode("0");
            case STRING, BYTES -> NODES.stringNode("");
            case TIME, MICRO_TIME, ANY -> NODES.nullNode();
          };
    };
  }

  /** What is said of types that read themselves, null for the others. */
  static @Nullable String refusal(JsonNode value, Schema.Scalar scalar) {
    return switch (scalar) {
      case QUANTITY -> quantityRefusal(value);
      case TIME, MICRO_TIME ->
          value.isString()
              ? Timestamps.refusal(value.stringValue(), scalar == Schema.Scalar.MICRO_TIME)
              : "json: cannot unmarshal " + word(value, scalar) + " into Go value of type string";
      case INT_OR_STRING ->
          "json: cannot unmarshal " + word(value, scalar) + " into Go value of type int32";
      case BYTES ->
          value.isString()
              ? "illegal base64 data at input byte " + badByte(value.stringValue())
              : null;
      case STRING, INT32, INT64, DOUBLE, BOOLEAN, ANY -> null;
    };
  }

  private static String quantityRefusal(JsonNode value) {
    try {
      var _ = Quantity.parse(value.isString() || value.isNumber() ? quantityText(value) : "");
      return "unable to parse quantity";
    } catch (QuantityException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Go's word for a JSON value; a number that does not fit is named. */
  static String word(JsonNode value, Schema schema) {
    JsonNodeType type = value.getNodeType();
    return switch (type) {
      case STRING -> "string";
      case BOOLEAN -> "bool";
      case ARRAY -> "array";
      case NUMBER -> numberExpected(schema) ? "number " + value.asString() : "number";
      case NULL -> "null";
      default -> "object";
    };
  }

  private static boolean numberExpected(Schema schema) {
    return schema == Schema.Scalar.INT32
        || schema == Schema.Scalar.INT64
        || schema == Schema.Scalar.INT_OR_STRING;
  }

  /** Go's name of a type. */
  static String goType(Schema schema) {
    return switch (schema) {
      case Schema.Struct struct -> lastTwo(struct.name());
      case Schema.MapOf map -> "map[string]" + goType(map.values());
      case Schema.ListOf list -> "[]" + goType(list.items());
      case Schema.Scalar scalar ->
          switch (scalar) {
            case STRING -> "string";
            case INT32, INT_OR_STRING -> "int32";
            case INT64 -> "int64";
            case DOUBLE -> "float64";
            case BOOLEAN -> "bool";
            case QUANTITY -> "resource.Quantity";
            case TIME -> "v1.Time";
            case MICRO_TIME -> "v1.MicroTime";
            case BYTES -> "[]uint8";
            case ANY -> "interface {}";
          };
    };
  }

  private static String lastTwo(String name) {
    int last = name.lastIndexOf('.');
    return name.substring(name.lastIndexOf('.', last - 1) + 1);
  }
}
