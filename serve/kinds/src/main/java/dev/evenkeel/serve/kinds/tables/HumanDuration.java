package dev.evenkeel.serve.kinds.tables;

import java.time.Duration;

/**
 * Durations as people read them: two or three significant figures, {@code 5m10s}, {@code 3h},
 * {@code 2d4h}. The steps are those of Kubernetes' own tools, so that ages look the same from
 * either server.
 */
public final class HumanDuration {

  private static final long MINUTE_SECONDS = 60;
  private static final long HOUR_SECONDS = 60 * MINUTE_SECONDS;
  private static final long DAY_HOURS = 24;
  private static final long YEAR_DAYS = 365;

  private HumanDuration() {}

  public static String of(Duration duration) {
    long seconds = wholeSeconds(duration);
    if (seconds < -1) {
      return "<invalid>";
    }
    if (seconds < 0) {
      // Clocks differ a little: what lies a second ahead is now.
      return "0s";
    }
    if (seconds < 2 * MINUTE_SECONDS) {
      return seconds + "s";
    }
    long minutes = seconds / MINUTE_SECONDS;
    if (minutes < 10) {
      return pair(minutes, "m", seconds % MINUTE_SECONDS, "s");
    }
    if (minutes < 3 * 60) {
      return minutes + "m";
    }
    return ofHours(seconds / HOUR_SECONDS, minutes % 60);
  }

  private static String ofHours(long hours, long minutesBeyond) {
    if (hours < 8) {
      return pair(hours, "h", minutesBeyond, "m");
    }
    if (hours < 2 * DAY_HOURS) {
      return hours + "h";
    }
    long days = hours / DAY_HOURS;
    if (days < 8) {
      return pair(days, "d", hours % DAY_HOURS, "h");
    }
    if (days < 2 * YEAR_DAYS) {
      return days + "d";
    }
    long years = days / YEAR_DAYS;
    return years < 8 ? pair(years, "y", days % YEAR_DAYS, "d") : years + "y";
  }

  private static String pair(long great, String greatUnit, long small, String smallUnit) {
    return small == 0 ? great + greatUnit : great + greatUnit + small + smallUnit;
  }

  /** Rounded towards zero: half a second ahead is no second at all. */
  private static long wholeSeconds(Duration duration) {
    long floor = duration.getSeconds();
    return floor < 0 && duration.getNano() > 0 ? floor + 1 : floor;
  }
}
