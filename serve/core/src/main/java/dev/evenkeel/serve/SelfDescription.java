package dev.evenkeel.serve;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.describe.AggregatedDiscovery;
import dev.evenkeel.serve.describe.Discovery;
import dev.evenkeel.serve.describe.OpenApi;
import dev.evenkeel.serve.registry.ResourceTable;
import dev.evenkeel.serve.request.Accept;
import dev.evenkeel.serve.request.Query;
import dev.evenkeel.serve.request.Target;
import dev.evenkeel.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Everything that is no object: discovery, version, health, metrics. */
final class SelfDescription {

  private final ServerSettings settings;
  private final ResourceTable resources;
  private final Discovery discovery;
  private final AggregatedDiscovery aggregated;
  private final OpenApi openApi;
  private final MetricsPage metrics;
  private final StoreProbe store;
  private volatile CompletableFuture<@Nullable Void> ready = new CompletableFuture<>();
  private final Map<String, Pages> pages = new ConcurrentHashMap<>();
  private volatile boolean draining;

  SelfDescription(
      Env env, ServerSettings settings, Store store, ResourceTable resources, FlowControl flow) {
    this.settings = settings;
    this.resources = resources;
    this.discovery = new Discovery(resources);
    this.aggregated = new AggregatedDiscovery(env, resources);
    this.openApi = new OpenApi(env, resources, gitVersion());
    this.store = new StoreProbe(store, env.clock());
    this.metrics = new MetricsPage(store, resources, flow, settings);
  }

  void readyWhen(CompletableFuture<@Nullable Void> future) {
    ready = future;
  }

  void alsoShow(Supplier<String> metrics) {
    this.metrics.add(metrics);
  }

  void alsoAnswer(String first, Pages further) {
    pages.put(first, further);
  }

  void drain() {
    draining = true;
  }

  CompletableFuture<ApiResponse> answer(ApiRequest request, Target.Other target, Query query) {
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      throw Status.methodNotAllowed(
              "the server does not allow this method on the requested resource")
          .asException();
    }
    List<String> path = target.segments();
    if (!path.isEmpty() && path.get(0).equals("openapi")) {
      return openApi.answer(request, path.subList(1, path.size()), query);
    }
    if (path.size() == 1 && isAggregated(request)) {
      switch (path.getFirst()) {
        case "api" -> {
          return aggregated.answer(request, true);
        }
        case "apis" -> {
          return aggregated.answer(request, false);
        }
        default -> {}
      }
    }
    return CompletableFuture.completedFuture(atOnce(path, query));
  }

  private ApiResponse atOnce(List<String> path, Query query) {
    String first = path.isEmpty() ? "" : path.get(0);
    return switch (first) {
      case "" -> json(paths());
      case "api" -> core(path);
      case "apis" -> groups(path);
      case "version" -> json(version());
      case "livez", "readyz", "healthz" -> health(path, query);
      case "metrics" ->
          new ApiResponse(
              200,
              List.of(
                  new ApiResponse.Header(
                      "Content-Type", "text/plain; version=0.0.4; charset=utf-8")),
              new ApiResponse.Whole(metrics.text()));
      default -> further(first, path, query);
    };
  }

  private ApiResponse further(String first, List<String> path, Query query) {
    Pages known = pages.get(first);
    return found(known == null ? null : known.page(path.subList(1, path.size()), query::text));
  }

  private ApiResponse core(List<String> path) {
    if (path.size() == 1) {
      return json(discovery.legacyVersions());
    }
    return found(path.size() == 2 ? discovery.resources("", path.get(1)) : null);
  }

  private ApiResponse groups(List<String> path) {
    return switch (path.size()) {
      case 1 -> json(discovery.groups());
      case 2 -> found(discovery.group(path.get(1)));
      case 3 -> found(discovery.resources(path.get(1), path.get(2)));
      default -> found(null);
    };
  }

  private static boolean isAggregated(ApiRequest request) {
    return Accept.parse(request.header("accept")).as() == Accept.As.AGGREGATED_DISCOVERY;
  }

  private static ApiResponse found(@Nullable ObjectNode body) {
    if (body == null) {
      throw Status.noSuchPath().asException();
    }
    return json(body);
  }

  private static ApiResponse json(ObjectNode body) {
    return new ApiResponse(
        200,
        List.of(new ApiResponse.Header("Content-Type", "application/json")),
        new ApiResponse.Whole(Json.encode(body)));
  }

  private static ApiResponse text(int status, String body) {
    return new ApiResponse(
        status,
        List.of(
            new ApiResponse.Header("Content-Type", "text/plain; charset=utf-8"),
            new ApiResponse.Header("X-Content-Type-Options", "nosniff")),
        new ApiResponse.Whole(body.getBytes(StandardCharsets.UTF_8)));
  }

  private ObjectNode paths() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    var paths = json.putArray("paths");
    paths.add("/api").add("/api/v1").add("/apis");
    resources
        .groups()
        .forEach(
            (group, versions) -> {
              if (!group.isEmpty()) {
                paths.add("/apis/" + group);
                versions.forEach(version -> paths.add("/apis/" + group + "/" + version));
              }
            });
    paths.add("/healthz").add("/livez").add("/readyz").add("/metrics");
    paths.add("/openapi/v2").add("/openapi/v3").add("/version");
    return json;
  }

  private ObjectNode version() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("major", "1")
        .put("minor", "34")
        .put("emulationMajor", "1")
        .put("emulationMinor", "34")
        .put("minCompatibilityMajor", "1")
        .put("minCompatibilityMinor", "33")
        .put("gitVersion", gitVersion())
        .put("gitCommit", settings.version().commit())
        .put("gitTreeState", settings.version().commit().endsWith("-changed") ? "dirty" : "clean")
        .put("buildDate", "1970-01-01T00:00:00Z")
        .put("goVersion", "none")
        .put("compiler", "javac")
        .put("platform", "java/" + Runtime.version().feature());
  }

  private String gitVersion() {
    return "v1.34.0+evenkeel-" + settings.version().version();
  }

  private Map<String, BooleanSupplier> checks(String endpoint) {
    Map<String, BooleanSupplier> checks = new LinkedHashMap<>();
    checks.put("ping", () -> true);
    checks.put("store", store::answers);
    if (!endpoint.equals("livez")) {
      checks.put("bootstrap", () -> ready.isDone() && !ready.isCompletedExceptionally());
    }
    if (endpoint.equals("readyz")) {
      checks.put("shutdown", () -> !draining);
    }
    return checks;
  }

  private ApiResponse health(List<String> path, Query query) {
    Map<String, BooleanSupplier> checks = checks(path.get(0));
    if (path.size() == 2) {
      BooleanSupplier one = checks.get(path.get(1));
      if (one == null) {
        throw Status.noSuchPath().asException();
      }
      return one.getAsBoolean() ? text(200, "ok") : text(500, "internal server error: failed\n");
    }
    List<String> excluded = query.all("exclude");
    var report = new StringBuilder();
    boolean healthy = true;
    for (Map.Entry<String, BooleanSupplier> check : checks.entrySet()) {
      boolean passes = excluded.contains(check.getKey()) || check.getValue().getAsBoolean();
      healthy &= passes;
      report
          .append(passes ? "[+]" : "[-]")
          .append(check.getKey())
          .append(passes ? " ok\n" : " failed\n");
    }
    report.append(path.get(0)).append(healthy ? " check passed\n" : " check failed\n");
    if (healthy) {
      return text(200, query.has("verbose") ? report.toString() : "ok");
    }
    return text(500, report.toString());
  }
}
