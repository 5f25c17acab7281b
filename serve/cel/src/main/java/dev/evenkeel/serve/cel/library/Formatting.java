package dev.evenkeel.serve.cel.library;

import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.ListValue;
import dev.evenkeel.serve.cel.value.MapValue;
import dev.evenkeel.serve.cel.value.NullValue;
import dev.evenkeel.serve.cel.value.Octets;
import dev.evenkeel.serve.cel.value.TypeValue;
import dev.evenkeel.serve.cel.value.Uint;
import dev.evenkeel.serve.cel.value.Values;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/** One call of {@code format}. */
final class Formatting {

  private static final int PRECISION = 6;
  private static final int PRECISION_MAX = 100;

  private final String format;
  private final ListValue arguments;
  private final Meter meter;
  private int argument;

  Formatting(String format, ListValue arguments, Meter meter) {
    this.format = format;
    this.arguments = arguments;
    this.meter = meter;
  }

  String result() {
    var result = new StringBuilder();
    int at = 0;
    while (at < format.length()) {
      char c = format.charAt(at++);
      if (c != '%') {
        result.append(c);
        continue;
      }
      if (at == format.length()) {
        throw new EvaluationError("unexpected end of string");
      }
      if (format.charAt(at) == '%') {
        result.append('%');
        at++;
        continue;
      }
      int precision = PRECISION;
      if (format.charAt(at) == '.') {
        int start = ++at;
        while (at < format.length() && Character.isDigit(format.charAt(at))) {
          at++;
        }
        precision = precision(format.substring(start, at));
      }
      if (at == format.length()) {
        throw new EvaluationError("unexpected end of string");
      }
      int before = result.length();
      clause(format.charAt(at++), precision, result);
      meter.text(result.length() - before);
    }
    return result.toString();
  }

  private static int precision(String digits) {
    if (digits.isEmpty() || digits.length() > 3 || Integer.parseInt(digits) > PRECISION_MAX) {
      throw new EvaluationError("error while converting precision to integer: " + digits);
    }
    return Integer.parseInt(digits);
  }

  private void clause(char clause, int precision, StringBuilder result) {
    if ("sdfebxXo".indexOf(clause) < 0) {
      throw new EvaluationError(
          "could not parse formatting clause: unrecognized formatting clause \"" + clause + "\"");
    }
    if (argument >= arguments.size()) {
      throw new EvaluationError("index " + argument + " out of range");
    }
    Object value = arguments.get(argument++);
    switch (clause) {
      case 's' -> text(value, result);
      case 'd' -> result.append(decimal(value));
      case 'f' -> {
        meter.work(digits(value));
        result.append(fixed(value, precision));
      }
      case 'e' -> {
        meter.work(digits(value));
        result.append(scientific(value, precision));
      }
      case 'b' -> result.append(binary(value));
      case 'o' -> result.append(octal(value));
      case 'X' -> {
        meter.work(Values.size(value));
        result.append(hex(value).toUpperCase(Locale.ROOT));
      }
      default -> {
        meter.work(Values.size(value));
        result.append(hex(value));
      }
    }
  }

  private void text(Object value, StringBuilder result) {
    switch (value) {
      case ListValue list -> list(list, result);
      case MapValue map -> map(map, result);
      case Octets octets -> result.append(new String(octets.bytes(), StandardCharsets.UTF_8));
      case Long _,
          Uint _,
          Double _,
          Boolean _,
          String _,
          Instant _,
          Duration _,
          TypeValue _,
          NullValue _ ->
          result.append(Values.text(value));
      default ->
          throw failed(
              "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists,"
                  + " types, durations, and timestamps",
              value);
    }
  }

  private static EvaluationError failed(String what, Object value) {
    return new EvaluationError(
        "error during formatting: " + what + ", was given " + Values.typeName(value));
  }

  /** Inside of lists and maps values are written as literals. */
  private void literal(Object value, StringBuilder result) {
    meter.work(1);
    int before = result.length();
    switch (value) {
      case String text -> result.append(Strings.quoted(text));
      case Octets octets ->
          result
              .append('b')
              .append(Strings.quoted(new String(octets.bytes(), StandardCharsets.UTF_8)));
      case Instant time ->
          result.append("timestamp(").append(Strings.quoted(Values.text(time))).append(')');
      case Duration duration ->
          result.append("duration(").append(Strings.quoted(Values.text(duration))).append(')');
      case Double number when number.isNaN() || number.isInfinite() ->
          result.append('"').append(special(number)).append('"');
      case Double number -> {
        meter.work(digits(number));
        result.append(fixed(number, PRECISION));
      }
      default -> text(value, result);
    }
    meter.text(result.length() - before);
  }

  /** All digits of a number are worked out before they are cut: there can be hundreds. */
  private static long digits(Object value) {
    return value instanceof Double number ? 10 + Math.abs(Math.getExponent(number)) / 4 : 1;
  }

  private void list(ListValue list, StringBuilder result) {
    result.append('[');
    for (int i = 0; i < list.size(); i++) {
      if (i > 0) {
        result.append(", ");
      }
      literal(list.get(i), result);
    }
    result.append(']');
  }

  private void map(MapValue map, StringBuilder result) {
    var entries = new ArrayList<Map.Entry<String, Object>>();
    for (Object key : map.keys()) {
      Object value = map.find(key);
      if (value != null) {
        meter.work(2);
        String shown = key instanceof String text ? Strings.quoted(text) : Values.text(key);
        entries.add(Map.entry(shown, value));
      }
    }
    entries.sort(Comparator.comparing(Map.Entry::getKey));
    result.append('{');
    String separator = "";
    for (Map.Entry<String, Object> entry : entries) {
      result.append(separator).append(entry.getKey()).append(':');
      literal(entry.getValue(), result);
      separator = ", ";
    }
    result.append('}');
  }

  private static String decimal(Object value) {
    if (value instanceof Long || value instanceof Uint) {
      return value.toString();
    }
    throw failed("decimal clause can only be used on integers", value);
  }

  private static String fixed(Object value, int precision) {
    double number = number(value, "fixed-point clause can only be used on doubles");
    return Double.isNaN(number) || Double.isInfinite(number)
        ? special(number)
        : new BigDecimal(number).setScale(precision, RoundingMode.HALF_EVEN).toPlainString();
  }

  private static String scientific(Object value, int precision) {
    double number = number(value, "scientific clause can only be used on doubles");
    return Double.isNaN(number) || Double.isInfinite(number)
        ? special(number)
        : String.format(Locale.ROOT, "%." + precision + "e", number);
  }

  private static String special(double number) {
    return Double.isNaN(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
  }

  private static double number(Object value, String otherwise) {
    return switch (value) {
      case Double number -> number;
      case String text when text.equals("NaN") -> Double.NaN;
      case String text when text.equals("Infinity") -> Double.POSITIVE_INFINITY;
      case String text when text.equals("-Infinity") -> Double.NEGATIVE_INFINITY;
      default -> throw failed(otherwise, value);
    };
  }

  private static String binary(Object value) {
    return switch (value) {
      case Long number -> Long.toString(number, 2);
      case Uint number -> Long.toUnsignedString(number.bits(), 2);
      case Boolean bool -> bool ? "1" : "0";
      default -> throw failed("only integers and bools can be formatted as binary", value);
    };
  }

  private static String octal(Object value) {
    return switch (value) {
      case Long number -> Long.toString(number, 8);
      case Uint number -> Long.toUnsignedString(number.bits(), 8);
      default -> throw failed("octal clause can only be used on integers", value);
    };
  }

  private static String hex(Object value) {
    return switch (value) {
      case Long number -> Long.toString(number, 16);
      case Uint number -> Long.toUnsignedString(number.bits(), 16);
      case String text -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
      case Octets octets -> HexFormat.of().formatHex(octets.bytes());
      default ->
          throw failed("only integers, byte buffers, and strings can be formatted as hex", value);
    };
  }
}
