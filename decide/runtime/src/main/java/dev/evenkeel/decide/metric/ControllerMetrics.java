package dev.evenkeel.decide.metric;

import dev.evenkeel.decide.queue.QueueMeter;
import dev.evenkeel.kernel.metric.Buckets;
import dev.evenkeel.kernel.metric.Meters;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;

/**
 * What the controllers of one process are measured by. Labels are the names of controllers.
 *
 * <p><b>Threading:</b> any.
 */
public final class ControllerMetrics {

  /** Seconds: upstream's, from a microsecond on. */
  private static final double[] QUEUE_SECONDS = Buckets.exponential(1e-6, 10, 10);

  /** Seconds: upstream's, and two below them. */
  private static final double[] RECONCILE_SECONDS = {
    0.000_5, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6,
    0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5, 6, 7, 8, 9, 10, 15, 20,
    25, 30, 40, 50, 60
  };

  private final Histogram waits;
  private final Histogram works;
  private final Histogram reconciles;
  private final Counter results;
  private final Counter errors;
  private final Counter outcomes;

  public ControllerMetrics(Meters meters) {
    this.waits =
        meters.histogram(
            "workqueue_queue_duration_seconds",
            "How long keys were ready before a worker took them",
            QUEUE_SECONDS,
            "name");
    this.works =
        meters.histogram(
            "workqueue_work_duration_seconds", "How long workers had keys", QUEUE_SECONDS, "name");
    this.reconciles =
        meters.histogram(
            "controller_runtime_reconcile_time_seconds",
            "How long reconciles took, their plans' actions included",
            RECONCILE_SECONDS,
            "controller");
    this.results =
        meters.counter(
            "controller_runtime_reconcile_total",
            "Reconciles, by whether and when the key is looked at again",
            "controller",
            "result");
    this.errors =
        meters.counter(
            "controller_runtime_reconcile_errors_total", "Reconciles that failed", "controller");
    this.outcomes =
        meters.counter(
            "evenkeel_reconciles_total",
            "Reconciles, by what their decision's record says came of them",
            "controller",
            "outcome");
  }

  /** For one whose numbers nobody asks for. */
  public static ControllerMetrics unseen() {
    return new ControllerMetrics(new Meters());
  }

  /** For the queue of a controller. */
  public QueueMeter queue(String name) {
    DistributionDataPoint wait = waits.labelValues(name);
    DistributionDataPoint work = works.labelValues(name);
    return new QueueMeter() {
      @Override
      public void taken(long readyNanos) {
        wait.observe(Meters.seconds(readyNanos));
      }

      @Override
      public void worked(long nanos) {
        work.observe(Meters.seconds(nanos));
      }
    };
  }

  /** For the reconciles of a controller. */
  public ReconcileMeter reconciles(String controller) {
    return new ReconcileMeter(
        reconciles.labelValues(controller),
        result -> results.labelValues(controller, result),
        errors.labelValues(controller),
        outcome -> outcomes.labelValues(controller, outcome));
  }
}
