package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.kernel.json.JsonException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;

/** Times: seconds and nanoseconds since 1970 on the wire, RFC 3339 in JSON. */
final class WireTime {

  private static final int DAY_SECONDS = 86_400;
  private static final int NANOS_MAX = 999_999_999;

  /** The years that four digits can say. */
  private static final long SECONDS_MIN = LocalDate.of(0, 1, 1).toEpochDay() * DAY_SECONDS;

  private static final long SECONDS_MAX = LocalDate.of(10_000, 1, 1).toEpochDay() * DAY_SECONDS - 1;

  private WireTime() {}

  static String text(long seconds, int nanos, boolean micros) {
    if (seconds < SECONDS_MIN || seconds > SECONDS_MAX || nanos < 0 || nanos > NANOS_MAX) {
      throw WireReader.malformed("a time is out of range");
    }
    LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(seconds, DAY_SECONDS));
    LocalTime time = LocalTime.ofSecondOfDay(Math.floorMod(seconds, DAY_SECONDS));
    var text = new StringBuilder(27);
    digits(text, date.getYear(), 4).append('-');
    digits(text, date.getMonthValue(), 2).append('-');
    digits(text, date.getDayOfMonth(), 2).append('T');
    digits(text, time.getHour(), 2).append(':');
    digits(text, time.getMinute(), 2).append(':');
    digits(text, time.getSecond(), 2);
    if (micros) {
      digits(text.append('.'), nanos / 1000, 6);
    }
    return text.append('Z').toString();
  }

  /** Seconds since 1970 of a time as the schemas keep it: in UTC, to the second or finer. */
  static long seconds(String text) {
    try {
      if (text.length() < 20 || text.charAt(text.length() - 1) != 'Z') {
        return OffsetDateTime.parse(text).toEpochSecond();
      }
      long day =
          LocalDate.of(number(text, 0, 4), number(text, 5, 2), number(text, 8, 2)).toEpochDay();
      return day * DAY_SECONDS
          + number(text, 11, 2) * 3600L
          + number(text, 14, 2) * 60L
          + number(text, 17, 2);
    } catch (DateTimeException e) {
      throw new JsonException("a value is no time");
    }
  }

  /** The nanoseconds of such a time. */
  static int nanos(String text) {
    int nanos = 0;
    int digits = 0;
    if (text.length() > 20 && text.charAt(19) == '.') {
      while (digits < 9 && 20 + digits < text.length() && isDigit(text.charAt(20 + digits))) {
        nanos = nanos * 10 + text.charAt(20 + digits) - '0';
        digits++;
      }
    }
    for (; digits < 9; digits++) {
      nanos *= 10;
    }
    return nanos;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static int number(String text, int from, int count) {
    int number = 0;
    for (int i = from; i < from + count; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw new JsonException("a value is no time");
      }
      number = number * 10 + digit;
    }
    return number;
  }

  private static StringBuilder digits(StringBuilder text, int number, int count) {
    int divisor = 1;
    for (int i = 1; i < count; i++) {
      divisor *= 10;
    }
    for (; divisor > 0; divisor /= 10) {
      text.append((char) ('0' + number / divisor % 10));
    }
    return text;
  }
}
