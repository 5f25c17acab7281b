package dev.evenkeel.kernel.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetersTest {

  private final Meters meters = new Meters();

  @Test
  void name_isDeclaredOnce() {
    var _ = meters.counter("a_total", "Of a");
    assertThatThrownBy(() -> meters.counter("a_total", "Of a once more"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> meters.measured("a_total", "Of a", () -> 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(meters.declared()).hasSize(1);
  }

  @Test
  void help_isNeverMissing() {
    assertThatThrownBy(() -> meters.gauge("a", " ")).isInstanceOf(IllegalArgumentException.class);
    assertThat(meters.declared()).isEmpty();
  }

  @Test
  void servers_doNotShareWhatTheyMeasure() {
    meters.counter("a_total", "Of a").inc();
    var others = new Meters();
    var _ = others.counter("a_total", "Of a");
    var snapshot = (CounterSnapshot) others.scrape().stream().findFirst().orElseThrow();
    assertThat(snapshot.getDataPoints().getFirst().getValue()).isZero();
  }

  @Test
  void twoValuesOfTheSameLabels_areOneAndThePageStands() {
    meters.measured(
        "a",
        "Of a",
        List.of("name"),
        values -> {
          values.is(1, "x");
          values.is(2, "x");
          values.is(3, "y");
        });
    var snapshot = (GaugeSnapshot) meters.scrape().stream().findFirst().orElseThrow();
    assertThat(snapshot.getDataPoints().stream().map(point -> point.getValue()))
        .containsExactlyInAnyOrder(1.0, 3.0);
  }

  @Test
  void series_beyondTheLimitAreOne() {
    List<String> made = new ArrayList<>();
    var series =
        new Series<String, String>(
            2,
            _ -> "rest",
            key -> {
              made.add(key);
              return key;
            });
    assertThat(series.of("a")).isEqualTo("a");
    assertThat(series.of("b")).isEqualTo("b");
    assertThat(series.of("c")).isEqualTo("rest");
    assertThat(series.of("d")).isEqualTo("rest");
    assertThat(series.of("a")).isEqualTo("a");
    assertThat(made).containsExactly("a", "b", "rest");
  }

  @Test
  void exponentialBuckets_areMultiples() {
    assertThat(Buckets.exponential(1, 2, 4)).containsExactly(1, 2, 4, 8);
  }
}
