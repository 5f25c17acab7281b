package dev.evenkeel.kernel.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WireTimeTest {

  @Test
  void seconds_areThoseOfThePlatform_inAnyOrder() {
    var random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      Instant time =
          Instant.ofEpochSecond(random.nextInt(4), random.nextInt(1_000_000_000))
              .plus(random.nextInt(3) * 10_000L, ChronoUnit.DAYS);
      Instant whole = time.truncatedTo(ChronoUnit.SECONDS);
      assertThat(WireTime.seconds(time)).isEqualTo(whole.toString());
      assertThat(WireTime.parse(whole.toString())).isEqualTo(whole);
      assertThat(WireTime.parse(time.toString())).isEqualTo(time);
    }
  }

  @Test
  void parse_takesOtherZones_andRefusesWhatIsNoTime() {
    assertThat(WireTime.parse("2026-01-01T01:00:00+01:00"))
        .isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(WireTime.parse("yesterday")).isNull();
    assertThat(WireTime.parse("")).isNull();
  }
}
