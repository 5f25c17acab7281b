package dev.evenkeel.serve.webhook;

import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.kernel.metric.Series;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.datapoints.GaugeDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;

/**
 * How webhooks are asked, under upstream's names and with its labels. Webhooks beyond the first
 * thousand series of a metric are counted together.
 */
final class WebhookMetrics {

  private static final int SERIES_MAX = 1_000;
  private static final int CODE_MAX = 600;
  private static final double[] BOUNDS = {0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 10, 25};

  private record Asked(String name, String type, String operation, String rejected) {
    Asked without() {
      return new Asked("others", type, operation, rejected);
    }
  }

  private record Coded(Asked asked, String error, String code) {
    Coded without() {
      return new Coded(asked.without(), error, code);
    }
  }

  private final Series<Asked, DistributionDataPoint> seconds;
  private final Series<Coded, CounterDataPoint> requests;
  private final Series<Coded, GaugeDataPoint> rejections;
  private final Series<Asked, GaugeDataPoint> failedOpen;

  WebhookMetrics(Meters meters) {
    Histogram histogram =
        meters.histogram(
            "apiserver_admission_webhook_admission_duration_seconds",
            "How long webhooks took to answer, by webhook and by what they were asked for",
            BOUNDS,
            "name",
            "operation",
            "rejected",
            "type");
    Counter total =
        meters.counter(
            "apiserver_admission_webhook_request_total",
            "Calls of webhooks, with the code they ended with",
            "code",
            "name",
            "operation",
            "rejected",
            "type");
    Gauge rejection =
        meters.gauge(
            "apiserver_admission_webhook_rejection_count",
            "Writes that webhooks refused, or that were refused because a webhook could not be"
                + " asked",
            "error_type",
            "name",
            "operation",
            "rejection_code",
            "type");
    Gauge open =
        meters.gauge(
            "apiserver_admission_webhook_fail_open_count",
            "Writes that passed although a webhook could not be asked",
            "name",
            "type");
    this.seconds =
        new Series<>(
            SERIES_MAX,
            Asked::without,
            key -> histogram.labelValues(key.name, key.operation, key.rejected, key.type));
    this.requests =
        new Series<>(
            SERIES_MAX,
            Coded::without,
            key ->
                total.labelValues(
                    key.code,
                    key.asked.name,
                    key.asked.operation,
                    key.asked.rejected,
                    key.asked.type));
    this.rejections =
        new Series<>(
            SERIES_MAX,
            Coded::without,
            key ->
                rejection.labelValues(
                    key.error, key.asked.name, key.asked.operation, key.code, key.asked.type));
    this.failedOpen =
        new Series<>(SERIES_MAX, Asked::without, key -> open.labelValues(key.name, key.type));
  }

  void answered(Hook hook, String operation, Outcome outcome, long nanos) {
    int code;
    String error;
    boolean rejected;
    switch (outcome) {
      case Outcome.Allowed _ -> {
        code = 200;
        error = "";
        rejected = false;
      }
      case Outcome.Denied denied -> {
        code = denied.status().code();
        error = "no_error";
        rejected = true;
      }
      case Outcome.Failed failed -> {
        code = failed.code();
        error = "calling_webhook_error";
        rejected = !hook.ignoresFailures();
      }
    }
    String shown = Integer.toString(Math.min(code, CODE_MAX));
    var asked = new Asked(hook.name(), hook.type(), operation, Boolean.toString(rejected));
    seconds.of(asked).observe(Meters.seconds(nanos));
    requests.of(new Coded(asked, "", shown)).inc();
    if (rejected) {
      rejections.of(new Coded(asked, error, shown)).inc();
    } else if (outcome instanceof Outcome.Failed) {
      failedOpen.of(new Asked(hook.name(), hook.type(), "", "")).inc();
    }
  }
}
