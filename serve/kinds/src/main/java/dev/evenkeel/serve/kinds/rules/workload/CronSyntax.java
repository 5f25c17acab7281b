package dev.evenkeel.serve.kinds.rules.workload;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The syntax of cron schedules: five fields, or a word with {@code @}. */
final class CronSyntax {

  private static final Set<String> WORDS =
      Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");

  private static final String EVERY = "@every ";

  /** One of the five. Names count from the least value. */
  private record Field(int min, int max, List<String> names) {}

  private static final List<Field> FIELDS =
      List.of(
          new Field(0, 59, List.of()),
          new Field(0, 23, List.of()),
          new Field(1, 31, List.of()),
          new Field(
              1,
              12,
              List.of(
                  "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
                  "dec")),
          new Field(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat")));

  private CronSyntax() {}

  /** What is wrong with it; null if nothing is. */
  static @Nullable String fault(String schedule) {
    String text = schedule;
    if (text.startsWith("TZ=") || text.startsWith("CRON_TZ=")) {
      int space = text.indexOf(' ');
      text = space < 0 ? "" : text.substring(space).strip();
    }
    if (text.startsWith("@")) {
      return wordFault(text);
    }
    String stripped = text.strip();
    String[] fields = stripped.isEmpty() ? new String[0] : stripped.split("\\s+", -1);
    if (fields.length != FIELDS.size()) {
      return "expected exactly 5 fields, found "
          + fields.length
          + ": ["
          + String.join(" ", fields)
          + "]";
    }
    for (int i = 0; i < fields.length; i++) {
      String fault = fieldFault(fields[i], FIELDS.get(i));
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private static @Nullable String wordFault(String text) {
    if (WORDS.contains(text)) {
      return null;
    }
    if (text.startsWith(EVERY)) {
      // Made only if somebody uses it: hardly anybody does.
      boolean isDuration =
          Pattern.matches("[+-]?(\\d+(\\.\\d*)?(ns|us|ms|s|m|h))+", text.substring(EVERY.length()));
      return isDuration ? null : "failed to parse duration " + text;
    }
    return "unrecognized descriptor: " + text;
  }

  private static @Nullable String fieldFault(String text, Field field) {
    for (String part : text.split(",", -1)) {
      String fault = partFault(part, field);
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private static @Nullable String partFault(String part, Field field) {
    String[] rangeAndStep = part.split("/", -1);
    String[] ends = rangeAndStep[0].split("-", -1);
    if (rangeAndStep.length > 2) {
      return "too many slashes: " + part;
    }
    if (ends.length > 2) {
      return "too many hyphens: " + part;
    }
    int start = field.min;
    int end = field.max;
    if (!ends[0].equals("*") && !ends[0].equals("?")) {
      start = number(ends[0], field);
      if (start < 0) {
        return "failed to parse int from " + ends[0];
      }
      end = ends.length == 2 ? number(ends[1], field) : start;
      if (end < 0) {
        return "failed to parse int from " + ends[1];
      }
      if (ends.length == 1 && rangeAndStep.length == 2) {
        end = field.max;
      }
    }
    if (rangeAndStep.length == 2) {
      int step = number(rangeAndStep[1], new Field(0, 0, List.of()));
      if (step < 0) {
        return "failed to parse int from " + rangeAndStep[1];
      }
      if (step == 0) {
        return "step of range should be a positive number: " + part;
      }
    }
    return boundsFault(part, start, end, field);
  }

  private static @Nullable String boundsFault(String part, int start, int end, Field field) {
    if (start < field.min) {
      return "beginning of range (" + start + ") below minimum (" + field.min + "): " + part;
    }
    if (end > field.max) {
      return "end of range (" + end + ") above maximum (" + field.max + "): " + part;
    }
    if (start > end) {
      return "beginning of range (" + start + ") beyond end of range (" + end + "): " + part;
    }
    return null;
  }

  private static int number(String text, Field field) {
    int named = field.names.indexOf(text.toLowerCase(Locale.ROOT));
    if (named >= 0) {
      return field.min + named;
    }
    if (text.isEmpty() || text.length() > 9 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    return Integer.parseInt(text);
  }
}
