package dev.evenkeel.serve.metrics;

import dev.evenkeel.kernel.env.Clock;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * All that one server measures.
 *
 * <p><b>Threading:</b> any.
 */
public final class ServerMetrics {

  /** Seconds; upstream's begin at 5 ms, above most of what is measured here. */
  private static final double[] STEP_SECONDS = {
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 10.0
  };

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
  private final RequestMetrics requests;
  private final AdmissionMetrics admission;
  private final StoreMetrics store;

  public ServerMetrics(Clock clock) {
    this.requests = new RequestMetrics(clock, registry);
    this.admission =
        new AdmissionMetrics(
            clock,
            steps(
                "apiserver_admission_controller_admission_duration_seconds",
                "How long admission plugins took, by plugin and by what they were asked for",
                "name",
                "operation",
                "rejected",
                "type"));
    this.store =
        new StoreMetrics(
            clock,
            steps(
                "etcd_request_duration_seconds",
                "How long the store took, whichever engine it is",
                "operation"));
  }

  private Histogram steps(String name, String help, String... labels) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .classicOnly()
        .classicUpperBounds(STEP_SECONDS)
        .withoutExemplars()
        .register(registry);
  }

  public RequestMetrics requests() {
    return requests;
  }

  public AdmissionMetrics admission() {
    return admission;
  }

  public StoreMetrics store() {
    return store;
  }

  /** In Prometheus' text format. */
  public String text() {
    var text = new ByteArrayOutputStream(16_384);
    try {
      writer.write(text, registry.scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString(StandardCharsets.UTF_8);
  }
}
