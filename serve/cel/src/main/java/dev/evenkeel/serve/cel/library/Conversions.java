package dev.evenkeel.serve.cel.library;

import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.notation.Cidr;
import dev.evenkeel.serve.cel.notation.Ip;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.Octets;
import dev.evenkeel.serve.cel.value.Times;
import dev.evenkeel.serve.cel.value.TypeValue;
import dev.evenkeel.serve.cel.value.Uint;
import dev.evenkeel.serve.cel.value.Values;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** {@code int(x)}, {@code string(x)} and their like. */
final class Conversions {

  private static final int NUMBER_LENGTH_MAX = 1000;

  private Conversions() {}

  static void addTo(Library library) {
    library
        .define("int", (a, meter) -> toInt(a[0]))
        .define("uint", (a, meter) -> toUint(a[0]))
        .define("double", (a, meter) -> toDouble(a[0]))
        .define("string", (a, meter) -> toText(a[0], meter))
        .define("bytes", (a, meter) -> toBytes(a[0]))
        .define("bool", (a, meter) -> toBool(a[0]))
        .define("duration", (a, meter) -> toDuration(a[0]))
        .define("timestamp", (a, meter) -> toTimestamp(a[0]))
        .define("dyn", (a, meter) -> a[0])
        .define("type", (a, meter) -> new TypeValue(Values.typeName(a[0])));
  }

  private static Long toInt(Object value) {
    return switch (value) {
      case Long number -> number;
      case Uint number when number.bits() >= 0 -> number.bits();
      case Uint _ -> throw new EvaluationError("integer overflow");
      case Double number -> {
        if (number.isNaN() || number <= -0x1p63 || number >= 0x1p63) {
          throw new EvaluationError("integer overflow");
        }
        yield number.longValue();
      }
      case String text -> {
        try {
          yield Long.parseLong(text);
        } catch (NumberFormatException e) {
          throw unreadable("Int", text);
        }
      }
      case Instant time -> time.getEpochSecond();
      case Duration duration -> duration.toNanos();
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static Uint toUint(Object value) {
    return switch (value) {
      case Uint number -> number;
      case Long number when number >= 0 -> new Uint(number);
      case Long _ -> throw new EvaluationError("unsigned integer overflow");
      case Double number -> {
        if (number.isNaN() || number < 0 || number >= 0x1p64) {
          throw new EvaluationError("unsigned integer overflow");
        }
        yield new Uint(new BigDecimal(number).toBigInteger().longValue());
      }
      case String text -> {
        try {
          yield new Uint(Long.parseUnsignedLong(text));
        } catch (NumberFormatException e) {
          throw unreadable("Uint", text);
        }
      }
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static Double toDouble(Object value) {
    return switch (value) {
      case Double number -> number;
      case Long number -> number.doubleValue();
      case Uint number -> new BigDecimal(number.toString()).doubleValue();
      case String text -> parsed(text);
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static Double parsed(String text) {
    switch (text.toLowerCase(Locale.ROOT)) {
      case "inf", "+inf", "infinity", "+infinity" -> {
        return Double.POSITIVE_INFINITY;
      }
      case "-inf", "-infinity" -> {
        return Double.NEGATIVE_INFINITY;
      }
      case "nan" -> {
        return Double.NaN;
      }
      default -> {}
    }
    boolean plain =
        text.length() <= NUMBER_LENGTH_MAX
            && text.chars().allMatch(c -> (c >= '0' && c <= '9') || "+-.eE".indexOf(c) >= 0);
    try {
      if (plain) {
        return Double.valueOf(text);
      }
    } catch (NumberFormatException e) {
      // Answered below, with the others.
    }
    throw unreadable("Float", text);
  }

  private static EvaluationError unreadable(String type, String text) {
    String shown = text.length() > NUMBER_LENGTH_MAX ? text.substring(0, NUMBER_LENGTH_MAX) : text;
    return new EvaluationError(
        "strconv.Parse" + type + ": parsing \"" + shown + "\": invalid syntax");
  }

  private static String toText(Object value, Meter meter) {
    return switch (value) {
      case String text -> text;
      case Octets octets -> {
        try {
          meter.text(octets.size());
          yield StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(octets.bytes()))
              .toString();
        } catch (CharacterCodingException e) {
          throw new EvaluationError("invalid UTF-8 in bytes, cannot convert to string");
        }
      }
      case Instant _ -> {
        meter.work(CallCosts.TIME_WORK);
        yield Values.text(value);
      }
      case Boolean _, Long _, Uint _, Double _, Duration _ -> Values.text(value);
      case Ip _, Cidr _, Quantity _ -> value.toString();
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static Octets toBytes(Object value) {
    return switch (value) {
      case Octets octets -> octets;
      case String text -> new Octets(text.getBytes(StandardCharsets.UTF_8));
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static Boolean toBool(Object value) {
    return switch (value) {
      case Boolean bool -> bool;
      case String text ->
          switch (text) {
            case "1", "t", "T", "true", "TRUE", "True" -> true;
            case "0", "f", "F", "false", "FALSE", "False" -> false;
            default -> throw unreadable("Bool", text);
          };
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static Duration toDuration(Object value) {
    return switch (value) {
      case Duration duration -> duration;
      case Long nanos -> Duration.ofNanos(nanos);
      case String text -> Times.duration(text);
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static Instant toTimestamp(Object value) {
    return switch (value) {
      case Instant time -> time;
      case Long seconds -> {
        try {
          yield Times.checked(Instant.ofEpochSecond(seconds));
        } catch (DateTimeException e) {
          throw new EvaluationError("timestamp overflow");
        }
      }
      case String text -> Times.timestamp(text);
      default -> throw EvaluationError.noSuchOverload();
    };
  }
}
