package dev.evenkeel.serve.metrics;

import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.serve.api.ApiResponse;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The page {@code /metrics}: Prometheus' text format, or OpenMetrics for those who would rather
 * have that.
 *
 * <p><b>Threading:</b> any.
 */
public final class Exposition {

  private static final String OPEN_METRICS = "application/openmetrics-text";
  private static final String PLAIN = "text/plain";
  private static final String ESCAPING = "; escaping=underscores";

  private final Meters meters;
  private final ExpositionFormatWriter plain = PrometheusTextFormatWriter.create();
  private final ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();

  public Exposition(Meters meters) {
    this.meters = meters;
  }

  /**
   * The page now.
   *
   * @param accept the header of whoever asks; what is not understood is answered in plain text
   */
  public ApiResponse page(@Nullable String accept) {
    ExpositionFormatWriter writer = prefersOpenMetrics(accept) ? openMetrics : plain;
    var text = new ByteArrayOutputStream(65_536);
    try {
      writer.write(text, meters.scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ApiResponse(
        200,
        List.of(new ApiResponse.Header("Content-Type", writer.getContentType() + ESCAPING)),
        new ApiResponse.Whole(text.toByteArray()));
  }

  static boolean prefersOpenMetrics(@Nullable String accept) {
    if (accept == null || !accept.toLowerCase(Locale.ROOT).contains(OPEN_METRICS)) {
      return false;
    }
    double open = 0;
    double text = 0;
    for (String range : accept.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] parts = range.split(";", -1);
      switch (parts[0].trim()) {
        case OPEN_METRICS -> open = Math.max(open, weight(parts));
        case PLAIN -> text = Math.max(text, weight(parts));
        default -> {}
      }
    }
    return open > 0 && open >= text;
  }

  private static double weight(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].trim();
      if (parameter.startsWith("q=")) {
        try {
          return Double.parseDouble(parameter.substring(2));
        } catch (NumberFormatException e) {
          return 0;
        }
      }
    }
    return 1;
  }
}
