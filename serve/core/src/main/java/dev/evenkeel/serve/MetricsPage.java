package dev.evenkeel.serve;

import dev.evenkeel.serve.cache.CacheFigures;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.cache.Watcher;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreStats;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The page {@code /metrics}, in Prometheus' text format. Written from figures that the parts keep
 * anyway, at the moment of asking: nothing is counted twice, nothing costs anything between.
 */
final class MetricsPage {

  private final Store store;
  private final ResourceTable resources;
  private final FlowControl flow;
  private final ServerSettings settings;
  private final AuditTrail audit;
  private final Map<String, String> build;
  private final List<Supplier<String>> others = new CopyOnWriteArrayList<>();
  private volatile @Nullable StoreStats stats;

  /**
   * @param build what was built, as labels
   */
  MetricsPage(
      Store store,
      ResourceTable resources,
      FlowControl flow,
      ServerSettings settings,
      AuditTrail audit,
      Map<String, String> build) {
    this.audit = audit;
    this.build = Map.copyOf(build);
    this.settings = settings;
    this.store = store;
    this.resources = resources;
    this.flow = flow;
  }

  byte[] text() {
    var page = new StringBuilder(16_384);
    refreshStats();
    StoreStats known = stats;
    if (known != null) {
      gauge(page, "evenkeel_store_revision", "Newest revision of the store", known.revision());
      gauge(
          page,
          "evenkeel_store_compacted_revision",
          "History below it is gone",
          known.compactedRevision());
      gauge(page, "evenkeel_store_keys", "Keys in the store", known.keys());
      gauge(page, "evenkeel_store_value_bytes", "Bytes of values", known.valueBytes());
      gauge(page, "evenkeel_store_disk_bytes", "Bytes on disk", known.diskBytes());
      gauge(page, "evenkeel_store_memory_bytes", "Bytes the engine holds", known.memoryBytes());
    }
    lanes(page);
    caches(page);
    limits(page);
    runtime(page);
    upstreams(page);
    ProcessFigures.write(page);
    others.forEach(other -> page.append(other.get()));
    return page.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** What parts know, once more under the names that dashboards for Kubernetes use. */
  private void upstreams(StringBuilder page) {
    family(page, "kubernetes_build_info", "gauge", "What was built: always 1");
    page.append("kubernetes_build_info{")
        .append(
            new TreeMap<>(build)
                .entrySet().stream()
                    .map(label -> label.getKey() + "=\"" + label.getValue() + "\"")
                    .collect(Collectors.joining(",")))
        .append("} 1\n");
    String inflight = "apiserver_current_inflight_requests";
    family(page, inflight, "gauge", "Requests under way, watches aside");
    page.append(inflight).append("{request_kind=\"mutating\"} ");
    page.append(flow.writes.running() + flow.leases.running()).append('\n');
    page.append(inflight).append("{request_kind=\"readOnly\"} ");
    page.append(flow.reads.running()).append('\n');
    family(page, "apiserver_audit_event_total", "counter", "Events of the audit log");
    page.append("apiserver_audit_event_total ").append(audit.events()).append('\n');
    List<Served> kinds = started();
    named(
        page,
        kinds,
        "apiserver_resource_objects",
        "gauge",
        "Objects of a kind",
        MetricsPage::groupAndResource,
        f -> f.objects);
    named(
        page,
        kinds,
        "apiserver_storage_objects",
        "gauge",
        "Objects of a kind; the newer name is apiserver_resource_objects",
        kind -> "resource=\"" + fullName(kind) + "\"",
        f -> f.objects);
    named(
        page,
        kinds,
        "apiserver_longrunning_requests",
        "gauge",
        "Open watches",
        kind -> fullPath(kind) + ",component=\"apiserver\",verb=\"WATCH\"",
        f -> f.watchers);
    named(
        page,
        kinds,
        "apiserver_watch_events_total",
        "counter",
        "Events that were sent to watches",
        MetricsPage::fullPath,
        f -> f.sent.sum());
  }

  private static String fullName(Served kind) {
    String group = kind.definition().group();
    return group.isEmpty() ? kind.definition().plural() : kind.definition().plural() + "." + group;
  }

  private static String groupAndResource(Served kind) {
    return "group=\"%s\",resource=\"%s\""
        .formatted(kind.definition().group(), kind.definition().plural());
  }

  private static String fullPath(Served kind) {
    return groupAndResource(kind) + ",version=\"" + kind.gvk().version() + "\"";
  }

  private static void named(
      StringBuilder page,
      List<Served> kinds,
      String name,
      String type,
      String help,
      Function<Served, String> labels,
      ToLongFunction<CacheFigures> figure) {
    family(page, name, type, help);
    for (Served kind : kinds) {
      page.append(name).append('{').append(labels.apply(kind)).append("} ");
      page.append(figure.applyAsLong(kind.cache().figures())).append('\n');
    }
  }

  /** Has the page end with what another part knows, in the same format. */
  void add(Supplier<String> other) {
    others.add(other);
  }

  private void limits(StringBuilder page) {
    family(page, "evenkeel_limit", "gauge", "Limits: numbers, bytes, seconds");
    settings
        .limitsByName()
        .forEach(
            (name, value) ->
                page.append("evenkeel_limit{name=\"")
                    .append(name)
                    .append("\"} ")
                    .append(BigDecimal.valueOf(value).stripTrailingZeros().toPlainString())
                    .append('\n'));
  }

  /** The last known ones are shown: a page must not wait for a store that hangs. */
  private void refreshStats() {
    var _ = store.stats().thenAccept(answer -> stats = answer);
  }

  private void lanes(StringBuilder page) {
    List<FlowControl.Lane> lanes = List.of(flow.reads, flow.writes, flow.watches, flow.leases);
    family(page, "evenkeel_requests_running", "gauge", "Requests under way");
    lanes.forEach(lane -> lane(page, "evenkeel_requests_running", lane, lane.running()));
    family(page, "evenkeel_requests_running_max", "gauge", "Limit of requests under way");
    lanes.forEach(lane -> lane(page, "evenkeel_requests_running_max", lane, lane.max()));
    family(page, "evenkeel_requests_total", "counter", "Requests taken on");
    lanes.forEach(lane -> lane(page, "evenkeel_requests_total", lane, lane.total.sum()));
    family(page, "evenkeel_requests_refused_total", "counter", "Requests told to try again");
    lanes.forEach(lane -> lane(page, "evenkeel_requests_refused_total", lane, lane.refused.sum()));
  }

  private static void lane(StringBuilder page, String name, FlowControl.Lane lane, long value) {
    page.append(name).append("{lane=\"").append(lane.name()).append("\"} ").append(value);
    page.append('\n');
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

  private void caches(StringBuilder page) {
    List<Served> started = started();
    each(page, started, "revision", "gauge", "Revision the cache has reached", f -> f.revision);
    each(
        page,
        started,
        "oldest_cursor_revision",
        "gauge",
        "Revision of the watcher that lags most",
        f -> f.oldestCursor);
    each(page, started, "objects", "gauge", "Objects in the cache", f -> f.objects);
    each(page, started, "object_bytes", "gauge", "Bytes of objects", f -> f.objectBytes);
    each(page, started, "window_events", "gauge", "Changes in the window", f -> f.windowEvents);
    each(page, started, "window_bytes", "gauge", "Bytes of the window", f -> f.windowBytes);
    each(page, started, "watchers", "gauge", "Open watches", f -> f.watchers);
    each(page, started, "events_total", "counter", "Changes seen", f -> f.events.sum());
    each(page, started, "relists_total", "counter", "States read anew", f -> f.relists.sum());
    each(
        page,
        started,
        "upstream_failures_total",
        "counter",
        "Failures of the store's watch",
        f -> f.upstreamFailures.sum());
    each(
        page,
        started,
        "watches_refused_total",
        "counter",
        "Watches beyond the limit",
        f -> f.watchesRefused.sum());
    each(
        page,
        started,
        "watches_too_old_total",
        "counter",
        "Watches from before the window",
        f -> f.watchesTooOld.sum());
    ended(page, started);
  }

  private static void each(
      StringBuilder page,
      List<Served> kinds,
      String name,
      String type,
      String help,
      ToLongFunction<CacheFigures> figure) {
    String full = "evenkeel_cache_" + name;
    family(page, full, type, help);
    for (Served kind : kinds) {
      page.append(full).append('{');
      labels(page, kind);
      page.append("} ").append(figure.applyAsLong(kind.cache().figures())).append('\n');
    }
  }

  private static void ended(StringBuilder page, List<Served> kinds) {
    family(page, "evenkeel_cache_watches_ended_total", "counter", "Watches that ended, by reason");
    for (Served kind : kinds) {
      for (Watcher.End why : Watcher.End.values()) {
        page.append("evenkeel_cache_watches_ended_total{");
        labels(page, kind);
        page.append(",reason=\"").append(why.name().toLowerCase(Locale.ROOT)).append("\"} ");
        page.append(kind.cache().figures().endedBecause(why)).append('\n');
      }
    }
  }

  private static void labels(StringBuilder page, Served kind) {
    page.append("group=\"").append(kind.definition().group());
    page.append("\",resource=\"").append(kind.definition().plural()).append('"');
  }

  private static void runtime(StringBuilder page) {
    Runtime runtime = Runtime.getRuntime();
    gauge(
        page,
        "evenkeel_heap_used_bytes",
        "Heap in use, garbage included",
        runtime.totalMemory() - runtime.freeMemory());
    gauge(page, "evenkeel_heap_committed_bytes", "Heap taken", runtime.totalMemory());
    gauge(page, "evenkeel_heap_max_bytes", "Heap allowed", runtime.maxMemory());
  }

  private static void gauge(StringBuilder page, String name, String help, long value) {
    family(page, name, "gauge", help);
    page.append(name).append(' ').append(value).append('\n');
  }

  private static void family(StringBuilder page, String name, String type, String help) {
    page.append("# HELP ").append(name).append(' ').append(help).append('\n');
    page.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }
}
