package dev.evenkeel.serve.cel.value;

import dev.evenkeel.kernel.quantity.Quantity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** What all values have: a type, a size and a text. */
public final class Values {

  public static final String TIMESTAMP = "google.protobuf.Timestamp";
  public static final String DURATION = "google.protobuf.Duration";
  public static final String OPTIONAL = "optional_type";
  public static final String QUANTITY = "kubernetes.Quantity";

  private Values() {}

  public static String typeName(Object value) {
    return switch (value) {
      case NullValue _ -> "null_type";
      case Boolean _ -> "bool";
      case Long _ -> "int";
      case Uint _ -> "uint";
      case Double _ -> "double";
      case String _ -> "string";
      case Octets _ -> "bytes";
      case Duration _ -> DURATION;
      case Instant _ -> TIMESTAMP;
      case ListValue _ -> "list";
      case MapValue map -> map.typeName();
      case TypeValue _ -> "type";
      case OptionalValue _ -> OPTIONAL;
      case Quantity _ -> QUANTITY;
      case Opaque opaque -> opaque.typeName();
      default -> throw new IllegalArgumentException(value.getClass().getName());
    };
  }

  /** What something is charged by. */
  public static long size(Object value) {
    return switch (value) {
      case String text -> text.codePointCount(0, text.length());
      case Octets octets -> octets.size();
      case ListValue list -> list.size();
      case MapValue map -> map.size();
      case OptionalValue optional -> optional.value() == null ? 1 : size(optional.value());
      case Opaque opaque -> opaque.size();
      default -> 1;
    };
  }

  /** The text of a scalar, as {@code string(x)} makes it. */
  public static String text(Object value) {
    return switch (value) {
      case NullValue _ -> "null";
      case Double number -> number(number);
      case Octets octets -> octets.toString();
      case Duration duration -> Times.text(duration);
      case Instant timestamp -> Times.text(timestamp);
      case TypeValue type -> type.name();
      default -> value.toString();
    };
  }

  /** The text of a key or a scalar in a message. */
  static String display(Object value) {
    return value instanceof Octets octets
        ? new String(octets.bytes(), StandardCharsets.UTF_8)
        : text(value);
  }

  /** The shortest text that reads back as the number, with an exponent where Go has one. */
  public static String number(double number) {
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "+Inf" : "-Inf";
    }
    if (number == 0) {
      return 1 / number < 0 ? "-0" : "0";
    }
    var decimal = new java.math.BigDecimal(Double.toString(number)).stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    if (exponent < -4 || exponent >= 21) {
      String digits = decimal.unscaledValue().abs().toString();
      String mantissa =
          digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
      String sign = number < 0 ? "-" : "";
      String power = (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "");
      return sign + mantissa + "e" + power + Math.abs(exponent);
    }
    return decimal.toPlainString();
  }
}
