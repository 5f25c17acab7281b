package dev.evenkeel.serve.metrics;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.BodyStream;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How many requests there were, how long they took and how large the answers to reads were. A list
 * takes until its last byte is pulled; a watch is counted when it begins, and not timed.
 *
 * <p><b>Invariants:</b> at most {@link #SERIES_MAX} combinations are told apart; what comes later
 * is counted without its kind. Kinds come and go, and each leaves its series behind.
 *
 * <p><b>Threading:</b> any.
 */
public final class RequestMetrics {

  private static final int SERIES_MAX = 10_000;

  private static final double BILLION = 1e9;

  /** Seconds: upstream's, and three below them. */
  private static final double[] SECONDS = {
    0.000_5, 0.001, 0.002_5, 0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2, 3, 4,
    5, 6, 8, 10, 15, 20, 30, 45, 60
  };

  /** Bytes: upstream's. */
  private static final double[] BYTES = {1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

  private static final String[] LABELS = {
    "verb", "dry_run", "group", "version", "resource", "subresource", "scope", "component"
  };

  private static final String[] LABELS_WITH_CODE = {
    "verb", "dry_run", "group", "version", "resource", "subresource", "scope", "component", "code"
  };

  /**
   * What requests are told apart by.
   *
   * @param verb upstream's word for it: {@code POST}, {@code LIST}
   * @param scope {@code resource}, {@code namespace} or {@code cluster}
   */
  public record Kind(
      String verb,
      boolean dryRun,
      String group,
      String version,
      String resource,
      String subresource,
      String scope) {

    private String[] labels() {
      return new String[] {
        verb, dryRun ? "All" : "", group, version, resource, subresource, scope, "apiserver"
      };
    }

    private Kind withoutResource() {
      return new Kind(verb, dryRun, "", "", "", "", scope);
    }

    private boolean isRead() {
      return verb.equals("GET") || verb.equals("LIST");
    }
  }

  private record Answered(Kind kind, int code) {}

  private record Series(
      CounterDataPoint count,
      DistributionDataPoint seconds,
      @Nullable DistributionDataPoint bytes) {}

  private final Clock clock;
  private final Counter counts;
  private final Histogram seconds;
  private final Histogram bytes;
  private final Map<Answered, Series> series = new ConcurrentHashMap<>();

  RequestMetrics(Clock clock, PrometheusRegistry registry) {
    this.clock = clock;
    this.counts =
        Counter.builder()
            .name("apiserver_request_total")
            .help("Requests for objects, by what they were answered")
            .labelNames(LABELS_WITH_CODE)
            .withoutExemplars()
            .register(registry);
    this.seconds =
        Histogram.builder()
            .name("apiserver_request_duration_seconds")
            .help("How long requests for objects took, watches aside")
            .labelNames(LABELS)
            .classicOnly()
            .classicUpperBounds(SECONDS)
            .withoutExemplars()
            .register(registry);
    this.bytes =
        Histogram.builder()
            .name("apiserver_response_sizes")
            .help("Bytes of the answers to reads, before they are compressed")
            .labelNames(LABELS)
            .classicOnly()
            .classicUpperBounds(BYTES)
            .withoutExemplars()
            .register(registry);
  }

  /** When a request began, for {@link #answered}. */
  public long now() {
    return clock.nanoTime();
  }

  /** A request was refused before there was an answer. */
  public void refused(Kind kind, long began, int code) {
    Series of = series(kind, code);
    of.count.inc();
    of.seconds.observe(since(began));
  }

  /** A request is answered, or begins to be. */
  public ApiResponse answered(Kind kind, long began, ApiResponse response) {
    Series of = series(kind, response.status());
    of.count.inc();
    return switch (response.content()) {
      case ApiResponse.Whole whole -> {
        of.seconds.observe(since(began));
        if (of.bytes != null) {
          of.bytes.observe(whole.bytes().length);
        }
        yield response;
      }
      case ApiResponse.Streamed streamed ->
          streamed.kind() == ApiResponse.Kind.EVENTS
              ? response
              : new ApiResponse(
                  response.status(),
                  response.headers(),
                  new ApiResponse.Streamed(
                      new Timed(streamed.stream(), of, began), streamed.kind()));
    };
  }

  private double since(long began) {
    return (clock.nanoTime() - began) / BILLION;
  }

  private Series series(Kind kind, int code) {
    var answered = new Answered(kind, code);
    Series known = series.get(answered);
    if (known != null) {
      return known;
    }
    var told = series.size() < SERIES_MAX ? answered : new Answered(kind.withoutResource(), code);
    return series.computeIfAbsent(told, this::newSeries);
  }

  private Series newSeries(Answered answered) {
    String[] labels = answered.kind.labels();
    String[] withCode = Arrays.copyOf(labels, labels.length + 1);
    withCode[labels.length] = Integer.toString(answered.code);
    return new Series(
        counts.labelValues(withCode),
        seconds.labelValues(labels),
        answered.kind.isRead() ? bytes.labelValues(labels) : null);
  }

  /**
   * A body that is measured when it ends: not one that nobody wanted the rest of. Pulled by one
   * thread.
   */
  private final class Timed implements BodyStream {
    private final BodyStream stream;
    private final Series series;
    private final long began;
    private long size;
    private boolean over;

    Timed(BodyStream stream, Series series, long began) {
      this.stream = stream;
      this.series = series;
      this.began = began;
    }

    @Override
    public Pull pull(Sink sink, int bytesMax) {
      Pull pull =
          stream.pull(
              (head, body, tail) -> {
                size += head.length + body.length + tail.length;
                sink.piece(head, body, tail);
              },
              bytesMax);
      if (pull == Pull.END && !over) {
        over = true;
        series.seconds.observe(since(began));
        if (series.bytes != null) {
          series.bytes.observe((double) size);
        }
      }
      return pull;
    }

    @Override
    public void onReady(Runnable listener) {
      stream.onReady(listener);
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
