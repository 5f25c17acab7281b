package dev.evenkeel.kernel.cron;

import java.time.Duration;
import java.time.ZoneId;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads schedules: five fields, or a word with {@code @}. */
final class CronParser {

  private static final Map<String, String> WORDS =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  private static final String EVERY = "@every ";

  private static final Map<String, Double> UNITS =
      Map.of("ns", 1e-9, "us", 1e-6, "ms", 1e-3, "s", 1.0, "m", 60.0, "h", 3600.0);

  /** One of the five. Names count from the least value. */
  private record Field(int least, int most, List<String> names) {}

  private static final Field MINUTES = new Field(0, 59, List.of());
  private static final Field HOURS = new Field(0, 23, List.of());
  private static final Field DAYS_OF_MONTH = new Field(1, 31, List.of());
  private static final Field MONTHS =
      new Field(
          1,
          12,
          List.of(
              "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"));
  private static final Field DAYS_OF_WEEK =
      new Field(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat"));

  private CronParser() {}

  /**
   * @throws IllegalArgumentException if it is no schedule, saying why
   */
  static CronSchedule parse(String schedule, ZoneId zone) {
    String text = schedule.strip();
    if (text.contains("TZ")) {
      throw new IllegalArgumentException(
          "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
    }
    if (text.startsWith(EVERY)) {
      return CronSchedule.ofInterval(duration(text.substring(EVERY.length()).strip()), zone);
    }
    if (text.startsWith("@")) {
      String meant = WORDS.get(text);
      if (meant == null) {
        throw new IllegalArgumentException("unrecognized descriptor: " + text);
      }
      text = meant;
    }
    String[] fields = text.isEmpty() ? new String[0] : text.split("\\s+", -1);
    if (fields.length != 5) {
      throw new IllegalArgumentException(
          "expected exactly 5 fields, found "
              + fields.length
              + ": ["
              + String.join(" ", fields)
              + "]");
    }
    return CronSchedule.ofFields(
        days(fields[0], MINUTES).values(),
        days(fields[1], HOURS).values(),
        days(fields[2], DAYS_OF_MONTH),
        days(fields[3], MONTHS).values(),
        days(fields[4], DAYS_OF_WEEK),
        zone);
  }

  private static CronSchedule.Days days(String text, Field field) {
    BitSet values = new BitSet();
    boolean all = false;
    for (String part : text.split(",", -1)) {
      all |= add(part, field, values);
    }
    return new CronSchedule.Days(values, all);
  }

  /**
   * @return whether the part says that any value will do
   */
  private static boolean add(String part, Field field, BitSet values) {
    String[] rangeAndStep = part.split("/", -1);
    String[] ends = rangeAndStep[0].split("-", -1);
    if (rangeAndStep.length > 2) {
      throw new IllegalArgumentException("too many slashes: " + part);
    }
    if (ends.length > 2) {
      throw new IllegalArgumentException("too many hyphens: " + part);
    }
    boolean stepped = rangeAndStep.length == 2;
    int step = stepped ? number(rangeAndStep[1], List.of(), 0) : 1;
    boolean all = ends[0].equals("*") || ends[0].equals("?");
    int first = all ? field.least : number(ends[0], field.names, field.least);
    int last = first;
    if (all || (stepped && ends.length == 1)) {
      last = field.most;
    } else if (ends.length == 2) {
      last = number(ends[1], field.names, field.least);
    }
    check(part, first, last, step, field);
    for (int value = first; value <= last; value += step) {
      values.set(value);
    }
    return all && step == 1;
  }

  private static void check(String part, int first, int last, int step, Field field) {
    if (first < field.least) {
      throw new IllegalArgumentException(
          "beginning of range (" + first + ") below minimum (" + field.least + "): " + part);
    }
    if (last > field.most) {
      throw new IllegalArgumentException(
          "end of range (" + last + ") above maximum (" + field.most + "): " + part);
    }
    if (first > last) {
      throw new IllegalArgumentException(
          "beginning of range (" + first + ") beyond end of range (" + last + "): " + part);
    }
    if (step == 0) {
      throw new IllegalArgumentException("step of range should be a positive number: " + part);
    }
  }

  private static int number(String text, List<String> names, int least) {
    int named = names.indexOf(text.toLowerCase(Locale.ROOT));
    if (named >= 0) {
      return least + named;
    }
    if (text.isEmpty() || text.length() > 9 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new IllegalArgumentException("failed to parse int from " + text);
    }
    return Integer.parseInt(text);
  }

  private static Duration duration(String text) {
    if (!text.matches("[+-]?(\\d+(\\.\\d*)?(ns|us|ms|s|m|h))+")) {
      throw new IllegalArgumentException("failed to parse duration " + EVERY + text);
    }
    if (text.startsWith("-")) {
      return Duration.ZERO;
    }
    double seconds = 0;
    Matcher parts = Pattern.compile("(\\d+(?:\\.\\d*)?)([a-z]+)").matcher(text);
    while (parts.find()) {
      seconds += Double.parseDouble(parts.group(1)) * UNITS.getOrDefault(parts.group(2), 0.0);
    }
    return Duration.ofMillis(Math.round(seconds * 1000));
  }
}
