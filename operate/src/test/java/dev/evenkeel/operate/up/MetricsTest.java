package dev.evenkeel.operate.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.operate.kubeconfig.KubeconfigFile;
import dev.evenkeel.operate.kubeconfig.ServerAccess;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole server, asked over the network: what it measures, and what docs/metrics.md says of it.
 */
class MetricsTest {

  private static final String PAGE = "docs/metrics.md";
  private static final Pattern ROW =
      Pattern.compile("\\| `([a-z0-9_]+)(?:\\{([a-z_,]+)})?` \\| (\\w+) \\| (.+) \\|");
  private static final Pattern MENTIONED =
      Pattern.compile("`((?:evenkeel|apiserver|etcd|workqueue|controller|scheduler)_[a-z_]+)[`{]");
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private static final String NODE =
      """
      {"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},
       "status":{"allocatable":{"cpu":"8","memory":"8Gi","pods":"50"},
       "conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2100-01-01T00:00:00Z"}]}}
      """;
  private static final String REPLICA_SET =
      """
      {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web"},
       "spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},"template":{
       "metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}
      """;
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";

  @TempDir private static Path home;

  private static Server server;
  private static HttpClient client;
  private static ServerAccess config;

  @BeforeAll
  static void open() throws Exception {
    var env = new RealEnv();
    UpSettings settings =
        Objects.requireNonNull(
            UpSettings.plain(
                List.of("--store", "memory", "--listen", "127.0.0.1:0", "--data", "" + home)));
    server = Server.open(env, settings);
    Path file = home.resolve("kubeconfig");
    KubeconfigFile.write(file, settings.listen().url(server.port()), server.credentials());
    config = ServerAccess.read(file);
    client = HttpClient.newBuilder().sslContext(config.sslContext()).build();
    server.control(env, settings, _ -> {});
    // Three of each: what is there is counted below.
    for (String name : List.of("a", "b", "c")) {
      assertThat(post(SECRETS, "{\"metadata\":{\"name\":\"" + name + "\"}}")).isEqualTo(201);
    }
    assertThat(post(SECRETS, "{\"metadata\":{\"name\":\"a\"}}")).isEqualTo(409);
    assertThat(post("/api/v1/nodes", NODE)).isEqualTo(201);
    assertThat(post("/apis/apps/v1/namespaces/default/replicasets", REPLICA_SET)).isEqualTo(201);
    await(
        page ->
            page.value("scheduler_pod_scheduling_sli_duration_seconds_count") == 2
                && page.value("evenkeel_cache_revision") > 0);
  }

  @AfterAll
  static void close() {
    client.close();
    server.close();
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(config.server().resolve(path))
        .header("content-type", "application/json");
  }

  private static int post(String path, String body) throws Exception {
    HttpRequest request = request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build();
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private static HttpResponse<String> page(String accept) throws Exception {
    return client.send(
        request("/metrics").header("accept", accept).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static Scrape scrape() throws Exception {
    return Scrape.ofText(page("*/*").body());
  }

  private static Scrape await(Predicate<Scrape> there) throws Exception {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      Scrape page = scrape();
      if (there.test(page)) {
        return page;
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("it did not come: " + page("*/*").body());
      }
      Thread.sleep(50);
    }
  }

  @Test
  void format_isTheOneThatIsAskedFor() throws Exception {
    String prometheus =
        "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";
    assertThat(page(prometheus).headers().firstValue("content-type"))
        .hasValue(
            "application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=underscores");
    for (String accept : List.of("*/*", "text/plain", "application/json", "text/html;q=x")) {
      assertThat(page(accept).headers().firstValue("content-type"))
          .as(accept)
          .hasValue("text/plain; version=0.0.4; charset=utf-8; escaping=underscores");
    }
    Scrape text = scrape();
    Scrape open = Scrape.ofOpenMetrics(page("application/openmetrics-text").body());
    assertThat(open.value("apiserver_request_total", "resource", "secrets", "code", "201"))
        .isEqualTo(text.value("apiserver_request_total", "resource", "secrets", "code", "201"))
        .isEqualTo(3);
    assertThat(open.families()).hasSameSizeAs(text.families());
  }

  @Test
  void everyFamily_isDeclared_withItsTypeLabelsAndHelp() throws Exception {
    Map<String, Meters.Declared> declared = new TreeMap<>();
    for (Meters.Declared each : server.meters().declared()) {
      assertThat(declared.put(each.name(), each)).as("twice: " + each.name()).isNull();
      assertThat(each.help()).as(each.name()).isNotBlank();
    }
    Map<String, Scrape.Family> families = scrape().families();
    assertThat(declared.keySet()).containsAll(families.keySet());
    families.forEach(
        (name, family) -> {
          Meters.Declared known = Objects.requireNonNull(declared.get(name));
          assertThat(family.help()).as(name).isEqualTo(known.help());
          assertThat(family.type()).as(name).isEqualTo(type(known).replace("info", "gauge"));
          for (Scrape.Sample sample : family.samples()) {
            assertThat(sample.labels().keySet().stream().filter(label -> !label.equals("le")))
                .as(name)
                .containsExactlyInAnyOrderElementsOf(known.labels());
          }
        });
  }

  private static String type(Meters.Declared declared) {
    return declared.type().name().toLowerCase(Locale.ROOT);
  }

  /** What is known to be there once something has happened. */
  @Test
  void namesThatDashboardsKnow_areThere() throws Exception {
    assertThat(scrape().families().keySet())
        .contains(
            "apiserver_request_duration_seconds",
            "apiserver_request_total",
            "apiserver_current_inflight_requests",
            "apiserver_longrunning_requests",
            "apiserver_watch_events_total",
            "apiserver_storage_objects",
            "apiserver_storage_size_bytes",
            "etcd_request_duration_seconds",
            "workqueue_depth",
            "workqueue_adds_total",
            "workqueue_retries_total",
            "workqueue_queue_duration_seconds",
            "workqueue_work_duration_seconds",
            "workqueue_unfinished_work_seconds",
            "workqueue_longest_running_processor_seconds",
            "controller_runtime_reconcile_total",
            "controller_runtime_reconcile_errors_total",
            "controller_runtime_reconcile_time_seconds",
            "scheduler_pending_pods",
            "scheduler_schedule_attempts_total",
            "scheduler_scheduling_attempt_duration_seconds",
            "scheduler_scheduling_algorithm_duration_seconds",
            "scheduler_pod_scheduling_sli_duration_seconds",
            "scheduler_framework_extension_point_duration_seconds",
            "evenkeel_watch_delivery_duration_seconds",
            "evenkeel_scheduler_binding_duration_seconds",
            "process_cpu_seconds_total",
            "process_resident_memory_bytes",
            "process_open_fds",
            "process_start_time_seconds",
            "kubernetes_build_info");
  }

  @Test
  void whatHappened_isCounted() throws Exception {
    Scrape page = scrape();
    String[] creates = {"verb", "POST", "group", "", "version", "v1", "resource", "secrets"};
    assertThat(page.value("apiserver_request_total", with(creates, "code", "201"))).isEqualTo(3);
    assertThat(page.value("apiserver_request_total", with(creates, "code", "409"))).isEqualTo(1);
    assertThat(page.value("apiserver_request_duration_seconds_count", creates)).isEqualTo(4);
    assertThat(page.value("apiserver_request_duration_seconds_count"))
        .as("of all requests that are no watches")
        .isEqualTo(
            page.value("apiserver_request_total")
                - page.value("apiserver_request_total", "verb", "WATCH"));
    assertThat(
            page.value(
                "etcd_request_duration_seconds_count",
                "operation",
                "create",
                "group",
                "",
                "resource",
                "secrets"))
        .as("that there is one already is seen in the cache")
        .isEqualTo(3);
    assertThat(page.value("apiserver_longrunning_requests", "resource", "pods")).isPositive();
    assertThat(page.value("apiserver_watch_events_total", "resource", "pods")).isPositive();
    assertThat(page.value("evenkeel_watch_delivery_duration_seconds_count", "resource", "pods"))
        .isBetween(1.0, page.value("apiserver_watch_events_total", "resource", "pods"));
  }

  @Test
  void queuesAndReconciles_areCounted() throws Exception {
    Scrape page =
        await(
            now ->
                now.value("workqueue_depth") == 0
                    && now.value("controller_runtime_active_workers") == 0
                    && now.value("workqueue_work_duration_seconds_count")
                        == now.value("evenkeel_queue_takes_total"));
    String[] queue = {"name", "replicaset"};
    double takes = page.value("evenkeel_queue_takes_total", "controller", "replicaset");
    assertThat(takes).isPositive();
    assertThat(page.value("workqueue_queue_duration_seconds_count", queue)).isEqualTo(takes);
    assertThat(page.value("workqueue_work_duration_seconds_count", queue)).isEqualTo(takes);
    assertThat(page.value("workqueue_adds_total", queue)).isGreaterThanOrEqualTo(takes);
    String[] controller = {"controller", "replicaset"};
    assertThat(page.value("controller_runtime_reconcile_time_seconds_count", controller))
        .isEqualTo(page.value("controller_runtime_reconcile_total", controller))
        .isEqualTo(page.value("evenkeel_reconciles_total", controller))
        .isBetween(1.0, takes);
    assertThat(page.value("evenkeel_reconciles_total", with(controller, "outcome", "acted")))
        .isPositive();
  }

  @Test
  void scheduling_isCounted() throws Exception {
    Scrape page = scrape();
    String[] placed = {"result", "scheduled", "profile", "default-scheduler"};
    assertThat(page.value("scheduler_schedule_attempts_total", placed)).isEqualTo(2);
    assertThat(page.value("scheduler_scheduling_attempt_duration_seconds_count", placed))
        .isEqualTo(2);
    assertThat(page.value("scheduler_pod_scheduling_sli_duration_seconds_count")).isEqualTo(2);
    assertThat(page.value("scheduler_pod_scheduling_attempts_count")).isEqualTo(2);
    assertThat(page.value("evenkeel_scheduler_binding_duration_seconds_count", "outcome", "bound"))
        .isEqualTo(2);
    assertThat(
            page.value(
                "scheduler_framework_extension_point_duration_seconds_count",
                "extension_point",
                "Bind",
                "status",
                "Success"))
        .isEqualTo(2);
    assertThat(page.value("scheduler_scheduling_algorithm_duration_seconds_count"))
        .isGreaterThanOrEqualTo(2);
    assertThat(page.value("scheduler_pending_pods")).isZero();
  }

  private static String[] with(String[] labels, String name, String value) {
    String[] all = java.util.Arrays.copyOf(labels, labels.length + 2);
    all[labels.length] = name;
    all[labels.length + 1] = value;
    return all;
  }

  @Test
  void whoMayNotReadMetrics_isRefused() throws Exception {
    try (HttpClient stranger =
        HttpClient.newBuilder().sslContext(config.anonymous().sslContext()).build()) {
      assertThat(
              stranger
                  .send(request("/metrics").build(), HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(401);
    }
    HttpRequest asBob = request("/metrics").header("impersonate-user", "bob").build();
    assertThat(client.send(asBob, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(403);
  }

  @Test
  void page_saysWhatThereIs() throws Exception {
    Map<String, String> written = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("..").resolve(PAGE))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        String labels = row.group(2) == null ? "" : "{" + row.group(2) + "}";
        assertThat(written.put(row.group(1), row.group(3) + labels)).as("twice: " + line).isNull();
      } else {
        assertThat(line).as("a row that cannot be read").doesNotStartWith("| `");
      }
    }
    Map<String, String> known = new TreeMap<>();
    for (Meters.Declared each : server.meters().declared()) {
      String labels = each.labels().isEmpty() ? "" : "{" + String.join(",", each.labels()) + "}";
      known.put(each.name(), type(each) + labels);
    }
    assertThat(written).containsExactlyEntriesOf(known);
  }

  @Test
  void whatOperatorsAreToldToLookAt_isThere() throws Exception {
    List<String> known = server.meters().declared().stream().map(Meters.Declared::name).toList();
    String guide = Files.readString(Path.of("..", "docs", "operating.md"));
    Matcher name = MENTIONED.matcher(guide);
    int names = 0;
    for (; name.find(); names++) {
      assertThat(known).contains(name.group(1));
    }
    assertThat(names).isGreaterThan(20);
  }

  @Test
  void parser_refusesWhatIsNotTheFormat() {
    String histogram = "# HELP h Of h.\n# TYPE h histogram\n";
    String head = "# HELP a_total Of a.\n# TYPE a_total counter\n";
    assertThat(Scrape.ofText(head + "a_total{x=\"1\"} 2\n").value("a_total")).isEqualTo(2);
    for (String wrong :
        List.of(
            "a_total 1\n",
            "# TYPE a_total counter\na_total 1\n",
            head + "a_total 1",
            head + "a_total 1\na_total 2\n",
            head + "b_total 1\n",
            head + "a_total{x=1} 1\n",
            head + "a_total one\n",
            head + "a_total 1\n" + head,
            histogram + "h_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_count 1\nh_sum 1\n",
            histogram + "h_bucket{le=\"+Inf\"} 1\nh_count 2\nh_sum 1\n")) {
      assertThatThrownBy(() -> Scrape.ofText(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
