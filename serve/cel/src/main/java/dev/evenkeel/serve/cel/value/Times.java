package dev.evenkeel.serve.cel.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Durations and points in time: their texts and their bounds, which are those of Go. */
public final class Times {

  public static final Instant MIN = Instant.parse("0001-01-01T00:00:00Z");
  public static final Instant MAX = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private static final int TEXT_LENGTH_MAX = 100;
  private static final long NANOS = 1_000_000_000;

  private static final Map<String, Long> UNITS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", NANOS,
          "m", 60 * NANOS,
          "h", 3600 * NANOS);

  private Times() {}

  public static Instant timestamp(String text) {
    try {
      if (text.length() <= TEXT_LENGTH_MAX) {
        Instant parsed =
            DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, OffsetDateTime::from).toInstant();
        if (text.length() >= 20) {
          return checked(parsed);
        }
      }
    } catch (DateTimeException e) {
      // Answered below, with the others.
    }
    throw new EvaluationError("parsing time \"" + text + "\" as RFC 3339: cannot parse");
  }

  public static Instant date(String text) {
    try {
      return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeException e) {
      throw new EvaluationError("parsing time \"" + text + "\" as a date: cannot parse");
    }
  }

  public static Instant checked(Instant timestamp) {
    if (timestamp.isBefore(MIN) || timestamp.isAfter(MAX)) {
      throw new EvaluationError("timestamp overflow");
    }
    return timestamp;
  }

  public static Duration checked(Duration duration) {
    try {
      return Duration.ofNanos(duration.toNanos());
    } catch (ArithmeticException e) {
      throw new EvaluationError("duration overflow");
    }
  }

  /** A duration as Go writes it: {@code 1h30m}. */
  public static Duration duration(String text) {
    Duration duration = text.length() > TEXT_LENGTH_MAX ? null : parsed(text);
    if (duration == null) {
      throw new EvaluationError("time: invalid duration \"" + text + "\"");
    }
    return duration;
  }

  /** Schemas know days and weeks beside Go's units. */
  public static Duration durationOfSchema(String text) {
    if (text.length() <= TEXT_LENGTH_MAX) {
      Duration duration = parsed(text);
      if (duration != null) {
        return duration;
      }
      String trimmed = text.strip();
      int unit = 0;
      while (unit < trimmed.length() && Character.isDigit(trimmed.charAt(unit))) {
        unit++;
      }
      long days =
          switch (trimmed.substring(unit).strip()) {
            case "d", "day", "days" -> 1;
            case "w", "week", "weeks" -> 7;
            default -> 0;
          };
      if (days > 0 && unit > 0 && unit < 9) {
        return checked(Duration.ofDays(days * Long.parseLong(trimmed.substring(0, unit))));
      }
    }
    throw new EvaluationError("unable to parse " + text + " as duration");
  }

  private static @Nullable Duration parsed(String text) {
    int at = 0;
    boolean negative = text.startsWith("-");
    if (negative || text.startsWith("+")) {
      at++;
    }
    if (text.length() == at) {
      return null;
    }
    if (text.substring(at).equals("0")) {
      return Duration.ZERO;
    }
    BigDecimal nanos = BigDecimal.ZERO;
    while (at < text.length()) {
      int start = at;
      while (at < text.length() && isNumber(text.charAt(at))) {
        at++;
      }
      int unitStart = at;
      while (at < text.length() && !isNumber(text.charAt(at))) {
        at++;
      }
      Long unit = UNITS.get(text.substring(unitStart, at));
      if (unit == null) {
        return null;
      }
      try {
        nanos =
            nanos.add(
                new BigDecimal(text.substring(start, unitStart))
                    .multiply(BigDecimal.valueOf(unit)));
      } catch (NumberFormatException e) {
        return null;
      }
    }
    BigInteger whole = (negative ? nanos.negate() : nanos).toBigInteger();
    return whole.bitLength() > 63 ? null : Duration.ofNanos(whole.longValue());
  }

  private static boolean isNumber(char c) {
    return (c >= '0' && c <= '9') || c == '.';
  }

  public static String text(Duration duration) {
    return BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros().toPlainString() + "s";
  }

  public static String text(Instant timestamp) {
    OffsetDateTime time = timestamp.atOffset(ZoneOffset.UTC);
    String seconds = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").format(time);
    if (time.getNano() == 0) {
      return seconds + "Z";
    }
    String fraction = BigDecimal.valueOf(time.getNano(), 9).stripTrailingZeros().toPlainString();
    return seconds + fraction.substring(1) + "Z";
  }
}
