package dev.evenkeel.decide.controllers.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How parts of a whole are rounded. */
final class SharesTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        // surge, unavailable, replicas, surge in pods, unavailable in pods
        "\"25%\", \"25%\", 10, 3, 2",
        "\"25%\", \"25%\", 1, 1, 0",
        "\"25%\", \"25%\", 0, 0, 0",
        "\"0%\", \"1%\", 2, 0, 1",
        "\"0%\", \"1%\", 1, 0, 1",
        "\"1%\", \"25%\", 2, 1, 0",
        "\"1%\", \"0%\", 2, 1, 0",
        "\"0%\", \"10%\", 5, 0, 1",
        "\"100%\", \"100%\", 5, 5, 5",
        "2, 1, 5, 2, 1",
        "0, 9, 5, 0, 5",
        "1, 0, 0, 1, 0",
        "null, null, 3, 0, 1",
        "\"half\", \"%\", 3, 0, 1",
      })
  void surgeIsRoundedUp_whatMayBeMissingDown_andNeverAreBothNothing(
      String surge, String unavailable, int replicas, int surgePods, int unavailablePods) {
    String json = "{\"maxSurge\":%s,\"maxUnavailable\":%s}".formatted(surge, unavailable);
    assertThat(Shares.of(Json.parse(json.getBytes(StandardCharsets.UTF_8)), replicas))
        .isEqualTo(new Shares(surgePods, unavailablePods));
  }
}
