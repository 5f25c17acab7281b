package dev.evenkeel.prove.bench.api.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HistogramTest {

  @Test
  void percentiles_areThoseOfTheSortedValuesToOnePartIn128() {
    var random = new SplittableRandom(7);
    long[] values = new long[20_000];
    var histogram = new Histogram();
    for (int i = 0; i < values.length; i++) {
      values[i] = (long) Math.exp(random.nextDouble(0, 25));
      histogram.record(values[i]);
    }
    Arrays.sort(values);
    for (double share : new double[] {0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1}) {
      double exactMillis = values[(int) Math.ceil(share * values.length) - 1] / 1e6;
      assertThat(histogram.percentileMillis(share))
          .as("percentile " + share)
          .isCloseTo(exactMillis, within(exactMillis / 128));
    }
  }

  @Test
  void add_isAsIfAllHadBeenRecordedInOne() {
    var one = new Histogram();
    var other = new Histogram();
    for (int i = 1; i <= 50; i++) {
      one.record(i * 1_000_000L);
      other.record((50 + i) * 1_000_000L);
    }
    one.add(other);
    assertThat(one.count()).isEqualTo(100);
    assertThat(one.percentileMillis(0.5)).isCloseTo(50, within(0.5));
    assertThat(one.maxMillis()).isEqualTo(100);
  }

  @Test
  void extremes_haveBuckets() {
    var histogram = new Histogram();
    histogram.record(-5);
    histogram.record(0);
    histogram.record(Long.MAX_VALUE);
    assertThat(histogram.count()).isEqualTo(3);
    assertThat(histogram.percentileMillis(0.5)).isZero();
  }

  @Test
  void percentile_ofNothingIsNotANumber() {
    assertThat(new Histogram().percentileMillis(0.5)).isNaN();
  }
}
