package dev.evenkeel.serve.metrics;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.metric.Buckets;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.kernel.metric.Series;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.BodyStream;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.datapoints.GaugeDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** Bytes: upstream's. */
  private static final double[] BYTES = {1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

  private static final String[] LABELS = {
    "verb", "dry_run", "group", "version", "resource", "subresource", "scope", "component"
  };

  private static final String[] LABELS_WITH_CODE = {
    "verb", "dry_run", "group", "version", "resource", "subresource", "scope", "component", "code"
  };

  private static final String[] LABELS_OF_LONG_RUNNING = {
    "verb", "group", "version", "resource", "subresource", "scope", "component"
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

    private String[] longRunningLabels() {
      return new String[] {verb, group, version, resource, subresource, scope, "apiserver"};
    }

    private Kind withoutResource() {
      return new Kind(verb, dryRun, "", "", "", "", scope);
    }

    private boolean isRead() {
      return verb.equals("GET") || verb.equals("LIST");
    }
  }

  private record Answered(Kind kind, int code) {
    Answered withoutResource() {
      return new Answered(kind.withoutResource(), code);
    }
  }

  private record Figures(
      CounterDataPoint count,
      DistributionDataPoint seconds,
      @Nullable DistributionDataPoint bytes) {}

  private final Clock clock;
  private final Counter counts;
  private final Histogram seconds;
  private final Histogram bytes;
  private final Series<Answered, Figures> series;
  private final Series<Kind, GaugeDataPoint> running;

  RequestMetrics(Clock clock, Meters meters) {
    this.clock = clock;
    this.counts =
        meters.counter(
            "apiserver_request_total",
            "Requests for objects, by what they were answered",
            LABELS_WITH_CODE);
    this.seconds =
        meters.histogram(
            "apiserver_request_duration_seconds",
            "How long requests for objects took, watches aside",
            Buckets.requests(),
            LABELS);
    this.bytes =
        meters.histogram(
            "apiserver_response_sizes",
            "Bytes of the answers to reads, before they are compressed",
            BYTES,
            LABELS);
    Gauge longRunning =
        meters.gauge(
            "apiserver_longrunning_requests",
            "Open watches, by what they watch",
            LABELS_OF_LONG_RUNNING);
    this.series = new Series<>(SERIES_MAX, Answered::withoutResource, this::newFigures);
    this.running =
        new Series<>(
            SERIES_MAX,
            Kind::withoutResource,
            kind -> longRunning.labelValues(kind.longRunningLabels()));
  }

  /** When a request began, for {@link #answered}. */
  public long now() {
    return clock.nanoTime();
  }

  /** A request was refused before there was an answer. */
  public void refused(Kind kind, long began, int code) {
    Figures of = series.of(new Answered(kind, code));
    of.count.inc();
    of.seconds.observe(since(began));
  }

  /** A request is answered, or begins to be. */
  public ApiResponse answered(Kind kind, long began, ApiResponse response) {
    Figures of = series.of(new Answered(kind, response.status()));
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
          new ApiResponse(
              response.status(),
              response.headers(),
              new ApiResponse.Streamed(
                  streamed.kind() == ApiResponse.Kind.EVENTS
                      ? new LongRunning(streamed.stream(), running.of(kind))
                      : new Timed(streamed.stream(), of, began),
                  streamed.kind()));
    };
  }

  private double since(long began) {
    return Meters.seconds(clock.nanoTime() - began);
  }

  private Figures newFigures(Answered answered) {
    String[] labels = answered.kind.labels();
    String[] withCode = Arrays.copyOf(labels, labels.length + 1);
    withCode[labels.length] = Integer.toString(answered.code);
    return new Figures(
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
    private final Figures series;
    private final long began;
    private long size;
    private boolean over;

    Timed(BodyStream stream, Figures series, long began) {
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

  /** A watch, which is under way until it is closed. Pulled by one thread, closed by any. */
  private static final class LongRunning implements BodyStream {
    private final BodyStream stream;
    private final GaugeDataPoint running;
    private final AtomicBoolean open = new AtomicBoolean(true);

    LongRunning(BodyStream stream, GaugeDataPoint running) {
      this.stream = stream;
      this.running = running;
      running.inc();
    }

    @Override
    public Pull pull(Sink sink, int bytesMax) {
      return stream.pull(sink, bytesMax);
    }

    @Override
    public void onReady(Runnable listener) {
      stream.onReady(listener);
    }

    @Override
    public void close() {
      if (open.compareAndSet(true, false)) {
        running.dec();
      }
      stream.close();
    }
  }
}
