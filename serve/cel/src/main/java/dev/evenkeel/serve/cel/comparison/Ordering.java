package dev.evenkeel.serve.cel.comparison;

import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.Octets;
import dev.evenkeel.serve.cel.value.Uint;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The order of values, across the types of numbers too. */
public final class Ordering {

  private Ordering() {}

  /**
   * Negative, zero or positive; null if one of them is not a number.
   *
   * @throws EvaluationError if such values have no order
   */
  public static @Nullable Integer compare(Object first, Object second) {
    if (isNumber(first) && isNumber(second)) {
      return numbers(first, second);
    }
    return switch (first) {
      case String text when second instanceof String other -> texts(text, other);
      case Boolean bool when second instanceof Boolean other -> Boolean.compare(bool, other);
      case Octets octets when second instanceof Octets other ->
          Arrays.compareUnsigned(octets.bytes(), other.bytes());
      case Duration duration when second instanceof Duration other -> duration.compareTo(other);
      case Instant timestamp when second instanceof Instant other -> timestamp.compareTo(other);
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  static boolean isNumber(Object value) {
    return value instanceof Long || value instanceof Double || value instanceof Uint;
  }

  static @Nullable Integer numbers(Object first, Object second) {
    if (first instanceof Long number && second instanceof Long other) {
      return Long.compare(number, other);
    }
    if (first instanceof Uint number && second instanceof Uint other) {
      return Long.compareUnsigned(number.bits(), other.bits());
    }
    if (first instanceof Double || second instanceof Double) {
      double number = toDouble(first);
      double other = toDouble(second);
      if (Double.isNaN(number) || Double.isNaN(other)) {
        return null;
      }
      if ((first instanceof Double && second instanceof Double)
          || Double.isInfinite(number)
          || Double.isInfinite(other)) {
        return number < other ? -1 : number > other ? 1 : 0;
      }
    }
    return exact(first).compareTo(exact(second));
  }

  private static double toDouble(Object number) {
    return switch (number) {
      case Long whole -> whole;
      case Double value -> value;
      default -> exact(number).doubleValue();
    };
  }

  private static BigDecimal exact(Object number) {
    return switch (number) {
      case Long whole -> BigDecimal.valueOf(whole);
      case Double value -> new BigDecimal(value);
      default -> new BigDecimal(number.toString());
    };
  }

  /** By characters, as Go does, not by halves of them, as Java does. */
  static int texts(String first, String second) {
    int length = Math.min(first.length(), second.length());
    for (int i = 0; i < length; i++) {
      char a = first.charAt(i);
      char b = second.charAt(i);
      if (a != b) {
        boolean bothHalves = Character.isSurrogate(a) == Character.isSurrogate(b);
        return bothHalves ? Character.compare(a, b) : Character.isSurrogate(a) ? 1 : -1;
      }
    }
    return Integer.compare(first.length(), second.length());
  }
}
