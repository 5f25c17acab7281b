package dev.evenkeel.serve.cel.library;

import dev.evenkeel.serve.cel.value.EvaluationError;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The parts of a point in time, in UTC or the zone that is asked for, and of a duration. */
final class Calendar {

  private static final int ZONE_LENGTH_MAX = 100;

  private Calendar() {}

  static void addTo(Library library) {
    part(library, "getFullYear", ZonedDateTime::getYear, null);
    part(library, "getMonth", time -> time.getMonthValue() - 1, null);
    part(library, "getDayOfYear", time -> time.getDayOfYear() - 1, null);
    part(library, "getDayOfMonth", time -> time.getDayOfMonth() - 1, null);
    part(library, "getDate", ZonedDateTime::getDayOfMonth, null);
    part(library, "getDayOfWeek", time -> time.getDayOfWeek().getValue() % 7, null);
    part(library, "getHours", ZonedDateTime::getHour, Duration::toHours);
    part(library, "getMinutes", ZonedDateTime::getMinute, Duration::toMinutes);
    part(library, "getSeconds", ZonedDateTime::getSecond, Duration::toSeconds);
    part(library, "getMilliseconds", time -> time.getNano() / 1_000_000, Duration::toMillis);
  }

  private static void part(
      Library library,
      String name,
      ToLongFunction<ZonedDateTime> ofTime,
      @Nullable ToLongFunction<Duration> ofDuration) {
    library.define(
        name,
        (a, meter) ->
            switch (a[0]) {
              case Instant time ->
                  ofTime.applyAsLong(
                      time.atZone(a.length == 1 ? ZoneOffset.UTC : zone(Library.string(a[1]))));
              case Duration duration when ofDuration != null -> ofDuration.applyAsLong(duration);
              default -> throw EvaluationError.noSuchOverload();
            });
  }

  private static ZoneId zone(String name) {
    try {
      if (name.length() <= ZONE_LENGTH_MAX) {
        boolean offset = name.indexOf(':') > 0 && Character.isDigit(name.charAt(0));
        return name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(offset ? "+" + name : name);
      }
    } catch (DateTimeException e) {
      // Answered below, with the others.
    }
    throw new EvaluationError("unknown time zone " + name);
  }
}
