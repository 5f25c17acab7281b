package dev.evenkeel.serve.kinds.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanDurationTest {

  @ParameterizedTest
  @CsvSource({
    "PT-1.9S, 0s",
    "PT-0.5S, 0s",
    "PT-2S, <invalid>",
    "PT0S, 0s",
    "PT59.9S, 59s",
    "PT119S, 119s",
    "PT2M, 2m",
    "PT5M10S, 5m10s",
    "PT9M59S, 9m59s",
    "PT10M59S, 10m",
    "PT179M, 179m",
    "PT3H, 3h",
    "PT3H1M, 3h1m",
    "PT7H59M, 7h59m",
    "PT8H30M, 8h",
    "PT47H59M, 47h",
    "P2D, 2d",
    "P2DT4H, 2d4h",
    "P7DT23H, 7d23h",
    "P8DT23H, 8d",
    "P729D, 729d",
    "P730D, 2y",
    "P731D, 2y1d",
    "P2919D, 7y364d",
    "P3000D, 8y",
  })
  void of_showsTwoOrThreeFigures(String duration, String text) {
    assertThat(HumanDuration.of(Duration.parse(duration))).isEqualTo(text);
  }

  @Test
  void of_bearsTheLongestDurations() {
    assertThat(HumanDuration.of(Duration.ofSeconds(Long.MAX_VALUE))).endsWith("y");
    assertThat(HumanDuration.of(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo("<invalid>");
  }
}
