package dev.evenkeel.kernel.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class CronScheduleTest {

  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static List<String> next(String schedule, ZoneId zone, String after, int count) {
    CronSchedule parsed = CronSchedule.parse(schedule, zone);
    List<String> times = new ArrayList<>();
    Instant time = Instant.parse(after);
    for (int i = 0; i < count; i++) {
      time = parsed.next(time);
      if (time == null) {
        times.add("never");
        return times;
      }
      times.add(time.toString());
    }
    return times;
  }

  private static List<String> next(String schedule, String after, int count) {
    return next(schedule, UTC, after, count);
  }

  @Test
  void everyMinute_comesAfterTheOneThatBegan() {
    assertThat(next("* * * * *", "2026-01-31T23:58:59.999Z", 3))
        .containsExactly("2026-01-31T23:59:00Z", "2026-02-01T00:00:00Z", "2026-02-01T00:01:00Z");
    assertThat(next("* * * * *", "2026-01-31T23:58:00Z", 1))
        .containsExactly("2026-01-31T23:59:00Z");
  }

  @Test
  void ranges_stepsAndLists_areUnited() {
    assertThat(next("30 6-16/4 * * 1-5", "2026-01-02T10:30:00Z", 4))
        .containsExactly(
            "2026-01-02T14:30:00Z",
            "2026-01-05T06:30:00Z",
            "2026-01-05T10:30:00Z",
            "2026-01-05T14:30:00Z");
    assertThat(next("50/4,3 0 1 JAN *", "2026-01-01T00:00:00Z", 4))
        .containsExactly(
            "2026-01-01T00:03:00Z",
            "2026-01-01T00:50:00Z",
            "2026-01-01T00:54:00Z",
            "2026-01-01T00:58:00Z");
    assertThat(next("0 0 * * sat,Sun", "2026-01-01T00:00:00Z", 2))
        .containsExactly("2026-01-03T00:00:00Z", "2026-01-04T00:00:00Z");
  }

  @Test
  void words_standForFields() {
    assertThat(next("@hourly", "2026-01-01T00:30:00Z", 1)).containsExactly("2026-01-01T01:00:00Z");
    assertThat(next("@daily", "2026-01-01T00:30:00Z", 1)).containsExactly("2026-01-02T00:00:00Z");
    assertThat(next("@weekly", "2026-01-01T00:30:00Z", 1)).containsExactly("2026-01-04T00:00:00Z");
    assertThat(next("@monthly", "2026-01-01T00:30:00Z", 1)).containsExactly("2026-02-01T00:00:00Z");
    assertThat(next("@yearly", "2026-01-01T00:30:00Z", 1)).containsExactly("2027-01-01T00:00:00Z");
    assertThat(next("@every 1h30m", "2026-01-01T00:00:00.5Z", 2))
        .containsExactly("2026-01-01T01:30:00Z", "2026-01-01T03:00:00Z");
  }

  @Test
  void bothDayFields_eitherIsEnough_unlessOneIsAStar() {
    assertThat(next("0 0 13 * 5", "2026-02-07T00:00:00Z", 3))
        .containsExactly("2026-02-13T00:00:00Z", "2026-02-20T00:00:00Z", "2026-02-27T00:00:00Z");
    assertThat(next("0 0 13 * *", "2026-02-07T00:00:00Z", 2))
        .containsExactly("2026-02-13T00:00:00Z", "2026-03-13T00:00:00Z");
    assertThat(next("0 0 ? * 1", "2026-02-07T00:00:00Z", 1))
        .containsExactly("2026-02-09T00:00:00Z");
    // A star with a step is no star.
    assertThat(next("0 0 */20 * 1", "2026-02-20T00:00:00Z", 2))
        .containsExactly("2026-02-21T00:00:00Z", "2026-02-23T00:00:00Z");
  }

  @Test
  void daysThatAMonthLacks_areSkipped() {
    assertThat(next("0 0 31 * *", "2026-01-31T00:00:00Z", 3))
        .containsExactly("2026-03-31T00:00:00Z", "2026-05-31T00:00:00Z", "2026-07-31T00:00:00Z");
    assertThat(next("0 0 29 2 *", "2026-01-01T00:00:00Z", 2))
        .containsExactly("2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z");
    assertThat(next("0 0 31 2 *", "2026-01-01T00:00:00Z", 1)).containsExactly("never");
  }

  @Test
  void timeThatClocksSkip_doesNotCome() {
    assertThat(next("30 2 * * *", BERLIN, "2026-03-28T00:00:00Z", 2))
        .containsExactly("2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z");
    assertThat(next("0 * * * *", BERLIN, "2026-03-29T00:30:00Z", 2))
        .containsExactly("2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z");
    // There is no midnight on that day.
    assertThat(next("0 0 * * *", ZoneId.of("America/Sao_Paulo"), "2018-11-03T12:00:00Z", 1))
        .containsExactly("2018-11-05T02:00:00Z");
  }

  @Test
  void timeThatComesTwice_isDueTwice() {
    assertThat(next("30 2 * * *", BERLIN, "2026-10-24T12:00:00Z", 3))
        .containsExactly("2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z");
    // The clocks go back half an hour there.
    assertThat(next("45 * * * *", ZoneId.of("Australia/Lord_Howe"), "2026-04-04T14:00:00Z", 3))
        .containsExactly("2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z", "2026-04-04T16:15:00Z");
  }

  @Test
  void next_isTheFirstMinuteThatMatches() {
    Random random = new Random(7);
    for (int i = 0; i < 40; i++) {
      Set<Integer> minutes = some(random, 0, 59, 3);
      Set<Integer> hours = some(random, 0, 23, 4);
      Set<Integer> days = some(random, 1, 31, 12);
      String schedule = list(minutes) + " " + list(hours) + " " + list(days) + " * *";
      CronSchedule parsed = CronSchedule.parse(schedule, BERLIN);
      Instant after =
          Instant.parse("2026-01-01T00:00:00Z").plusSeconds(random.nextInt(365 * 86_400));
      ZonedDateTime wanted = after.atZone(BERLIN).withSecond(0).plusMinutes(1);
      while (!minutes.contains(wanted.getMinute())
          || !hours.contains(wanted.getHour())
          || !days.contains(wanted.getDayOfMonth())) {
        wanted = wanted.plusMinutes(1);
      }
      assertThat(parsed.next(after)).as(schedule + " after " + after).isEqualTo(wanted.toInstant());
    }
  }

  private static Set<Integer> some(Random random, int least, int most, int count) {
    Set<Integer> some = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      some.add(least + random.nextInt(most - least + 1));
    }
    return some;
  }

  private static String list(Set<Integer> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  @Test
  void missed_isTheNewest_andAboutHowMany() {
    CronSchedule hourly = CronSchedule.parse("@hourly", UTC);
    Instant start = Instant.parse("2026-01-01T00:30:00Z");
    assertThat(hourly.missed(start, start.plus(Duration.ofMinutes(29)))).isNull();
    assertThat(hourly.missed(start, start.plus(Duration.ofMinutes(30))))
        .isEqualTo(new CronSchedule.Missed(Instant.parse("2026-01-01T01:00:00Z"), 1));
    assertThat(hourly.missed(start, start.plus(Duration.ofDays(5))))
        .isEqualTo(new CronSchedule.Missed(Instant.parse("2026-01-06T00:00:00Z"), 120));
    // Long between some, short between others.
    CronSchedule uneven = CronSchedule.parse("0,1 0 * * *", UTC);
    CronSchedule.Missed missed = uneven.missed(start, Instant.parse("2026-01-04T13:00:00Z"));
    assertThat(missed)
        .extracting(CronSchedule.Missed::newest)
        .isEqualTo(Instant.parse("2026-01-04T00:01:00Z"));
    CronSchedule every = CronSchedule.parse("@every 7m", UTC);
    missed = every.missed(start, Instant.parse("2026-01-01T01:00:00Z"));
    assertThat(missed).isEqualTo(new CronSchedule.Missed(Instant.parse("2026-01-01T00:58:00Z"), 4));
  }

  @Test
  void whatIsNoSchedule_isRefused() {
    for (String schedule :
        List.of(
            "",
            "* * * *",
            "* * * * * *",
            "60 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "* * * 13 *",
            "* * * * 7",
            "5-1 * * * *",
            "*/0 * * * *",
            "1-2-3 * * * *",
            "1/2/3 * * * *",
            "x * * * *",
            "@often",
            "@every",
            "@every soon",
            "TZ=UTC * * * * *",
            "CRON_TZ=UTC * * * * *")) {
      assertThatThrownBy(() -> CronSchedule.parse(schedule, UTC))
          .as(schedule)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
