package dev.evenkeel.kernel.cron;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * When a cron job is due: at each minute whose local time matches. A local time that the clocks
 * skip in spring does not come, and one that comes twice in autumn is due twice.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class CronSchedule {

  /** What is not due within this many years is never due. */
  private static final int YEARS_MAX = 5;

  /** Some day fields of a month or week. */
  record Days(BitSet values, boolean all) {}

  private final BitSet minutes;
  private final BitSet hours;
  private final Days daysOfMonth;
  private final BitSet months;
  private final Days daysOfWeek;
  private final Duration every;
  private final ZoneId zone;

  private CronSchedule(
      BitSet minutes,
      BitSet hours,
      Days daysOfMonth,
      BitSet months,
      Days daysOfWeek,
      Duration every,
      ZoneId zone) {
    this.minutes = minutes;
    this.hours = hours;
    this.daysOfMonth = daysOfMonth;
    this.months = months;
    this.daysOfWeek = daysOfWeek;
    this.every = every;
    this.zone = zone;
  }

  static CronSchedule ofFields(
      BitSet minutes, BitSet hours, Days daysOfMonth, BitSet months, Days daysOfWeek, ZoneId zone) {
    return new CronSchedule(minutes, hours, daysOfMonth, months, daysOfWeek, Duration.ZERO, zone);
  }

  /** Due so long after the last time, by no clock. */
  static CronSchedule ofInterval(Duration every, ZoneId zone) {
    Duration whole = every.truncatedTo(ChronoUnit.SECONDS);
    BitSet none = new BitSet();
    return new CronSchedule(
        none,
        none,
        new Days(none, true),
        none,
        new Days(none, true),
        whole.isPositive() ? whole : Duration.ofSeconds(1),
        zone);
  }

  /**
   * Reads five fields, or a word with {@code @}.
   *
   * @throws IllegalArgumentException if it is no schedule, saying why
   */
  public static CronSchedule parse(String schedule, ZoneId zone) {
    return CronParser.parse(schedule, zone);
  }

  /** What is wrong with a schedule; null if nothing is. */
  public static @Nullable String fault(String schedule) {
    try {
      CronSchedule _ = parse(schedule, ZoneOffset.UTC);
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  /** Where its local time is. */
  public ZoneId zone() {
    return zone;
  }

  /** The first time that is due after this one; null if none ever is. */
  public @Nullable Instant next(Instant after) {
    if (every.isPositive()) {
      return after.truncatedTo(ChronoUnit.SECONDS).plus(every);
    }
    ZonedDateTime time = after.truncatedTo(ChronoUnit.MINUTES).atZone(zone).plusMinutes(1);
    int last = time.getYear() + YEARS_MAX;
    while (time.getYear() <= last) {
      if (!months.get(time.getMonthValue())) {
        time = time.toLocalDate().withDayOfMonth(1).plusMonths(1).atStartOfDay(zone);
      } else if (!isDay(time)) {
        time = time.toLocalDate().plusDays(1).atStartOfDay(zone);
      } else if (!hours.get(time.getHour())) {
        time = time.plusMinutes(60L - time.getMinute());
      } else if (!minutes.get(time.getMinute())) {
        time = time.plusMinutes(1);
      } else {
        return time.toInstant();
      }
    }
    return null;
  }

  /** If both day fields say something, either is enough. */
  private boolean isDay(ZonedDateTime time) {
    boolean ofMonth = daysOfMonth.values().get(time.getDayOfMonth());
    DayOfWeek day = time.getDayOfWeek();
    boolean ofWeek = daysOfWeek.values().get(day.getValue() % 7);
    boolean both = daysOfMonth.all() || daysOfWeek.all();
    return both ? ofMonth && ofWeek : ofMonth || ofWeek;
  }

  /**
   * What was missed.
   *
   * @param newest the last time that was due
   * @param count how many were, about
   */
  public record Missed(Instant newest, long count) {}

  /** What was due after the one time and not after the other; null if nothing was. */
  public @Nullable Missed missed(Instant after, Instant until) {
    Instant first = next(after);
    if (first == null || first.isAfter(until)) {
      return null;
    }
    Instant second = next(first);
    if (second == null || second.isAfter(until)) {
      return new Missed(first, 1);
    }
    Duration between = Duration.between(first, second);
    long count = Duration.between(first, until).dividedBy(between) + 1;
    return new Missed(newest(first, until, between), count);
  }

  /** Looks back from the end, further each time, so that years of minutes cost nothing. */
  private Instant newest(Instant first, Instant until, Duration between) {
    if (every.isPositive()) {
      return first.plus(between.multipliedBy(Duration.between(first, until).dividedBy(between)));
    }
    Duration back = between;
    while (true) {
      Instant from = until.minus(back);
      Instant newest = from.isBefore(first) ? first : null;
      Instant time = next(newest == null ? from : newest);
      while (time != null && !time.isAfter(until)) {
        newest = time;
        time = next(time);
      }
      if (newest != null) {
        return newest;
      }
      back = back.multipliedBy(2);
    }
  }
}
