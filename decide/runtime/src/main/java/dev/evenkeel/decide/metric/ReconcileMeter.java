package dev.evenkeel.decide.metric;

import dev.evenkeel.decide.queue.Result;
import dev.evenkeel.explain.record.Decision.Outcome;
import dev.evenkeel.kernel.metric.Meters;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Counts the reconciles of one controller.
 *
 * <p><b>Threading:</b> any.
 */
public final class ReconcileMeter {

  private final DistributionDataPoint seconds;
  private final CounterDataPoint success;
  private final CounterDataPoint requeue;
  private final CounterDataPoint requeueAfter;
  private final CounterDataPoint error;
  private final CounterDataPoint errors;

  private final Map<Outcome.Kind, CounterDataPoint> outcomes = new EnumMap<>(Outcome.Kind.class);

  ReconcileMeter(
      DistributionDataPoint seconds,
      Function<String, CounterDataPoint> results,
      CounterDataPoint errors,
      Function<String, CounterDataPoint> outcomes) {
    this.seconds = seconds;
    this.success = results.apply("success");
    this.requeue = results.apply("requeue");
    this.requeueAfter = results.apply("requeue_after");
    this.error = results.apply("error");
    this.errors = errors;
    for (Outcome.Kind kind : Outcome.Kind.values()) {
      this.outcomes.put(kind, outcomes.apply(kind.name().toLowerCase(Locale.ROOT)));
    }
  }

  /** A reconcile has ended. */
  public void ended(long nanos, Result result, Outcome.Kind outcome) {
    seconds.observe(Meters.seconds(nanos));
    Objects.requireNonNull(outcomes.get(outcome)).inc();
    switch (result) {
      case Result.Settled _ -> success.inc();
      case Result.Again again -> (again.after().isPositive() ? requeueAfter : requeue).inc();
      case Result.Failed _ -> failed();
      case Result.Overloaded _ -> failed();
    }
  }

  private void failed() {
    error.inc();
    errors.inc();
  }
}
