package dev.evenkeel.serve.metrics;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.serve.admission.AdmissionMeter;
import dev.evenkeel.serve.admission.AnswerAwaited;
import dev.evenkeel.serve.admission.Operation;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How long admission plugins take. Bounded by the number of plugins. */
public final class AdmissionMetrics implements AdmissionMeter {

  private record Asked(String plugin, Step step, Operation operation, boolean rejected) {}

  private final Clock clock;
  private final Histogram seconds;
  private final Map<Asked, DistributionDataPoint> series = new ConcurrentHashMap<>();

  AdmissionMetrics(Clock clock, Histogram seconds) {
    this.clock = clock;
    this.seconds = seconds;
  }

  @Override
  public void measure(String plugin, Step step, Operation operation, Runnable work) {
    long began = clock.nanoTime();
    try {
      work.run();
    } catch (AnswerAwaited e) {
      // It is asked again: what waiting takes is measured where the answer comes from.
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      observe(new Asked(plugin, step, operation, true), began);
      throw e;
    }
    observe(new Asked(plugin, step, operation, false), began);
  }

  private void observe(Asked asked, long began) {
    series
        .computeIfAbsent(asked, this::newSeries)
        .observe(Meters.seconds(clock.nanoTime() - began));
  }

  private DistributionDataPoint newSeries(Asked asked) {
    return seconds.labelValues(
        asked.plugin, asked.operation.name(), Boolean.toString(asked.rejected), asked.step.word());
  }
}
