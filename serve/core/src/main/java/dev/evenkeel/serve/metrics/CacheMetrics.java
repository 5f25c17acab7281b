package dev.evenkeel.serve.metrics;

import dev.evenkeel.kernel.metric.Buckets;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.kernel.metric.Meters.Values;
import dev.evenkeel.kernel.metric.Series;
import dev.evenkeel.serve.cache.CacheFigures;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.cache.Watcher;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the watch caches know, by kind. They keep these figures anyway and are asked when somebody
 * looks, but for one: how long changes take until they are on their way to those who watch.
 */
public final class CacheMetrics {

  private static final int KINDS_MAX = 1_000;

  private static final List<String> KIND = List.of("group", "resource");
  private static final List<String> VERSIONED = List.of("group", "version", "resource");
  private static final List<String> ENDED = List.of("group", "resource", "reason");

  private record Kind(String group, String resource) {}

  private final Meters meters;
  private final ResourceTable resources;
  private final Series<Kind, DistributionDataPoint> deliveries;

  CacheMetrics(Meters meters, ResourceTable resources) {
    this.meters = meters;
    this.resources = resources;
    Histogram seconds =
        meters.histogram(
            "evenkeel_watch_delivery_duration_seconds",
            "From a change's coming into the cache until a watch took it to be sent;"
                + " of what a watch takes at once, the oldest",
            Buckets.requests(),
            "group",
            "resource");
    this.deliveries =
        new Series<>(
            KINDS_MAX,
            _ -> new Kind("", ""),
            kind -> seconds.labelValues(kind.group, kind.resource));
    upstreams();
    figures();
  }

  /** Is told how long a kind's changes took until a watch took them. */
  public LongConsumer deliveries(String group, String resource) {
    return new Deliveries(new Kind(group, resource));
  }

  /** Of one kind; it has a series once something was delivered. */
  private final class Deliveries implements LongConsumer {
    private final Kind kind;
    private volatile @Nullable DistributionDataPoint seconds;

    Deliveries(Kind kind) {
      this.kind = kind;
    }

    @Override
    public void accept(long nanos) {
      DistributionDataPoint known = seconds;
      if (known == null) {
        known = deliveries.of(kind);
        seconds = known;
      }
      known.observe(Meters.seconds(nanos));
    }
  }

  /** Kinds whose objects are in a cache; of those that share one, the first. */
  private List<Served> started() {
    List<Served> started = new ArrayList<>();
    List<KindCache> seen = new ArrayList<>();
    for (Served served : resources.all()) {
      if (served.cache().isReady() && !seen.contains(served.cache())) {
        seen.add(served.cache());
        started.add(served);
      }
    }
    return started;
  }

  private Consumer<Values> each(
      Function<Served, String[]> labels, ToLongFunction<CacheFigures> figure) {
    return values -> {
      for (Served kind : started()) {
        values.is((double) figure.applyAsLong(kind.cache().figures()), labels.apply(kind));
      }
    };
  }

  private static String[] kind(Served kind) {
    return new String[] {kind.group(), kind.plural()};
  }

  private static String[] versioned(Served kind) {
    return new String[] {kind.group(), kind.gvk().version(), kind.plural()};
  }

  private static String[] fullName(Served kind) {
    return new String[] {
      kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group()
    };
  }

  /** Under the names that dashboards for Kubernetes use. */
  private void upstreams() {
    meters.measured(
        "apiserver_resource_objects",
        "Objects of a kind",
        KIND,
        each(CacheMetrics::kind, figures -> figures.objects));
    meters.measured(
        "apiserver_storage_objects",
        "Objects of a kind; the newer name is apiserver_resource_objects",
        List.of("resource"),
        each(CacheMetrics::fullName, figures -> figures.objects));
    meters.counted(
        "apiserver_watch_events_total",
        "Events that were sent to watches",
        VERSIONED,
        each(CacheMetrics::versioned, figures -> figures.sent.sum()));
    meters.counted(
        "apiserver_watch_cache_events_received_total",
        "Changes that came to the watch cache",
        KIND,
        each(CacheMetrics::kind, figures -> figures.events.sum()));
    meters.counted(
        "apiserver_terminated_watchers_total",
        "Watches that were ended because they lagged too far behind",
        KIND,
        each(CacheMetrics::kind, figures -> figures.endedBecause(Watcher.End.EXPIRED)));
  }

  private void figures() {
    gauge("revision", "Revision the cache has reached", f -> f.revision);
    gauge("oldest_cursor_revision", "Revision of the watcher that lags most", f -> f.oldestCursor);
    gauge("objects", "Objects in the cache", f -> f.objects);
    gauge("object_bytes", "Bytes of objects", f -> f.objectBytes);
    gauge("window_events", "Changes in the window", f -> f.windowEvents);
    gauge("window_bytes", "Bytes of the window", f -> f.windowBytes);
    gauge("watchers", "Open watches", f -> f.watchers);
    counter("events", "Changes seen", f -> f.events.sum());
    counter("relists", "States read anew", f -> f.relists.sum());
    counter("upstream_failures", "Failures of the store's watch", f -> f.upstreamFailures.sum());
    counter("watches_refused", "Watches beyond the limit", f -> f.watchesRefused.sum());
    counter("watches_too_old", "Watches from before the window", f -> f.watchesTooOld.sum());
    meters.counted(
        "evenkeel_cache_watches_ended_total", "Watches that ended, by reason", ENDED, this::ended);
  }

  private void gauge(String name, String help, ToLongFunction<CacheFigures> figure) {
    meters.measured("evenkeel_cache_" + name, help, KIND, each(CacheMetrics::kind, figure));
  }

  private void counter(String name, String help, ToLongFunction<CacheFigures> figure) {
    meters.counted(
        "evenkeel_cache_" + name + "_total", help, KIND, each(CacheMetrics::kind, figure));
  }

  private void ended(Values values) {
    for (Served kind : started()) {
      for (Watcher.End why : Watcher.End.values()) {
        values.is(
            (double) kind.cache().figures().endedBecause(why),
            kind.group(),
            kind.plural(),
            why.name().toLowerCase(Locale.ROOT));
      }
    }
  }
}
