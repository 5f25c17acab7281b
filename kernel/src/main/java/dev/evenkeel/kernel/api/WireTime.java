package dev.evenkeel.kernel.api;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Times as the API writes them. Nearly all that are written or read at one time are of the same
 * second, so the last one is remembered: the platform's own way takes a microsecond.
 *
 * <p><b>Threading:</b> for any thread.
 */
public final class WireTime {

  /** A second and its canonical text. */
  private record Second(long epochSecond, String text) {}

  private static final int LENGTH = "0000-00-00T00:00:00Z".length();

  private static volatile Second last = new Second(0, Instant.EPOCH.toString());

  private WireTime() {}

  /** RFC 3339 with whole seconds. */
  public static String seconds(Instant time) {
    Second known = last;
    if (known.epochSecond == time.getEpochSecond()) {
      return known.text;
    }
    var found = new Second(time.getEpochSecond(), time.truncatedTo(ChronoUnit.SECONDS).toString());
    last = found;
    return found.text;
  }

  /** A time that was written so, or more exactly; null if the text is none. */
  public static @Nullable Instant parse(String text) {
    Second known = last;
    if (known.text.equals(text)) {
      return Instant.ofEpochSecond(known.epochSecond);
    }
    try {
      Instant found = text.isEmpty() ? null : Instant.parse(text);
      if (found != null && text.length() == LENGTH && text.endsWith("Z")) {
        last = new Second(found.getEpochSecond(), found.toString());
      }
      return found;
    } catch (DateTimeException e) {
      return null;
    }
  }
}
