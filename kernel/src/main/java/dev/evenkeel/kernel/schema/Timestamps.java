package dev.evenkeel.kernel.schema;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Times as text: read in any zone and precision, kept in UTC and in the field's own precision. */
final class Timestamps {

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT);
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT);

  private static final String SHAPE = "0000-00-00T00:00:00";

  private static final int SECONDS_LENGTH = 20;
  private static final int MICROS_LENGTH = 27;

  private Timestamps() {}

  /** The canonical text, the given one if it is that already, null if it is no time. */
  static @Nullable String canonical(String text, boolean micros) {
    if (!beginsLikeTime(text)) {
      return null;
    }
    if (isPlainlyCanonical(text, micros)) {
      return text;
    }
    try {
      OffsetDateTime time = OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
      return (micros ? MICROS : SECONDS).format(time);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Most times are canonical already; the platform's parser costs a microsecond. */
  private static boolean isPlainlyCanonical(String text, boolean micros) {
    if (text.length() != (micros ? MICROS_LENGTH : SECONDS_LENGTH)
        || text.charAt(text.length() - 1) != 'Z') {
      return false;
    }
    if (micros) {
      for (int i = SHAPE.length() + 1; i < MICROS_LENGTH - 1; i++) {
        if (text.charAt(i) < '0' || text.charAt(i) > '9') {
          return false;
        }
      }
      if (text.charAt(SHAPE.length()) != '.') {
        return false;
      }
    }
    int month = two(text, 5);
    int day = two(text, 8);
    return month >= 1
        && month <= 12
        && day >= 1
        && day <= 28
        && two(text, 11) < 24
        && two(text, 14) < 60
        && two(text, 17) < 60;
  }

  private static int two(String text, int at) {
    return (text.charAt(at) - '0') * 10 + text.charAt(at + 1) - '0';
  }

  /** Seconds may not be left out, which the platform's own parser would allow. */
  private static boolean beginsLikeTime(String text) {
    if (text.length() <= SHAPE.length()) {
      return false;
    }
    for (int i = 0; i < SHAPE.length(); i++) {
      char c = text.charAt(i);
      boolean digit = c >= '0' && c <= '9';
      if (SHAPE.charAt(i) == '0' ? !digit : c != SHAPE.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The words that users of Kubernetes know for a text that is no time. */
  static String refusal(String text, boolean micros) {
    String layout = micros ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
    return "parsing time \""
        + text
        + "\" as \""
        + layout
        + "\": cannot parse \""
        + text
        + "\" as \"2006\"";
  }
}
