package dev.evenkeel.serve.kinds.wire;

import java.time.LocalDate;
import java.time.LocalTime;

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
