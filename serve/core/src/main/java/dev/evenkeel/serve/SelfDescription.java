package dev.evenkeel.serve;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.PlainAnswer;
import dev.evenkeel.serve.describe.AggregatedDiscovery;
import dev.evenkeel.serve.describe.Discovery;
import dev.evenkeel.serve.describe.OpenApi;
import dev.evenkeel.serve.metrics.Exposition;
import dev.evenkeel.serve.metrics.ServerMetrics;
import dev.evenkeel.serve.metrics.StoreMetrics;
import dev.evenkeel.serve.presence.Presence;
import dev.evenkeel.serve.request.Accept;
import dev.evenkeel.serve.request.Query;
import dev.evenkeel.serve.request.Target;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.token.OpenIdPages;
import dev.evenkeel.store.Store;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Everything that is no object: discovery, version, health, metrics. */
final class SelfDescription {

  private static final Set<String> HEALTH = Set.of("livez", "readyz", "healthz");

  /** What is always there, besides what parts of the process add. */
  private static final Set<String> KNOWN =
      Set.of("", "api", "apis", "version", "openapi", "openid", ".well-known");

  /** Where upstream routes by method: whoever asks for the head alone is told that it may not. */
  private static final Set<String> RESTFUL =
      Set.of("api", "apis", "version", "openid", ".well-known");

  /** Checks by the names that probes know them by. */
  private static final Map<String, String> KNOWN_CHECKS =
      Map.of("etcd", "store", "etcd-readiness", "store", "informer-sync", "bootstrap");

  private final ServerSettings settings;
  private final ResourceTable resources;
  private final Discovery discovery;
  private final AggregatedDiscovery aggregated;
  private final OpenApi openApi;
  private final Exposition metrics;
  private final StoreMetrics storeMetrics;
  private final Store measuredStore;
  private final StoreProbe store;
  private volatile CompletableFuture<@Nullable Void> ready = new CompletableFuture<>();
  private final Map<String, Pages> pages = new ConcurrentHashMap<>();
  private volatile @Nullable OpenIdPages openId;
  private volatile boolean draining;

  SelfDescription(
      Env env,
      ServerSettings settings,
      Store store,
      ResourceTable resources,
      FlowControl flow,
      AuditTrail audit,
      ServerMetrics measured) {
    this.settings = settings;
    this.resources = resources;
    this.discovery = new Discovery(resources);
    this.aggregated = new AggregatedDiscovery(env, resources);
    this.openApi = new OpenApi(env, resources, gitVersion());
    this.store = new StoreProbe(store, env.clock());
    this.metrics = new Exposition(measured.meters());
    this.storeMetrics = measured.store();
    this.measuredStore = store;
    ServerFigures.register(measured.meters(), flow, settings, audit, buildInfo());
  }

  void readyWhen(CompletableFuture<@Nullable Void> future) {
    ready = future;
  }

  void alsoAnswer(String first, Pages further) {
    pages.put(first, further);
  }

  /** Shows by which keys tokens are verified. */
  void openId(OpenIdPages further) {
    openId = further;
  }

  /** Where the server is reached. */
  void reachedAt(Presence.Place place) {
    OpenIdPages known = openId;
    if (known != null && !place.address().isEmpty()) {
      String host = place.address().contains(":") ? "[" + place.address() + "]" : place.address();
      known.ownUrl("https://" + host + ":" + place.port());
    }
  }

  void drain() {
    draining = true;
  }

  CompletableFuture<ApiResponse> answer(ApiRequest request, Target.Other target, Query query) {
    List<String> path = target.segments();
    String first = path.isEmpty() ? "" : path.getFirst();
    if (HEALTH.contains(first)) {
      // Asked in whichever way.
      return CompletableFuture.completedFuture(health(path, query));
    }
    if (KNOWN.contains(first) && !isRead(request.method(), first)) {
      throw Status.methodNotAllowed(
              "the server does not allow this method on the requested resource")
          .asException();
    }
    if (first.equals("openapi")) {
      return openApi.answer(request, path.subList(1, path.size()), query);
    }
    if (first.equals("metrics") && path.size() == 1) {
      storeMetrics.refresh(measuredStore);
      return CompletableFuture.completedFuture(metrics.page(request.header("accept")));
    }
    if (path.size() == 1 && isAggregated(request)) {
      switch (first) {
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

  private static boolean isRead(String method, String first) {
    return method.equals("GET") || (method.equals("HEAD") && !RESTFUL.contains(first));
  }

  private ApiResponse atOnce(List<String> path, Query query) {
    String first = path.isEmpty() ? "" : path.get(0);
    return switch (first) {
      case "" -> path.size() > 1 ? found(null, false) : json(paths());
      case "api" -> core(path);
      case "apis" -> groups(path);
      case "version" -> path.size() == 1 ? json(version()) : found(null, true);
      case "openid", ".well-known" -> openId(path);
      default -> further(first, path, query);
    };
  }

  private ApiResponse openId(List<String> path) {
    OpenIdPages known = openId;
    ApiResponse page = known == null ? null : known.page(path);
    return page == null ? found(null, false) : page;
  }

  private ApiResponse further(String first, List<String> path, Query query) {
    Pages known = pages.get(first);
    return found(
        known == null ? null : known.page(path.subList(1, path.size()), query::text),
        known != null);
  }

  private ApiResponse core(List<String> path) {
    if (path.size() == 1) {
      return json(discovery.legacyVersions());
    }
    return found(path.size() == 2 ? discovery.resources("", path.get(1)) : null, true);
  }

  private ApiResponse groups(List<String> path) {
    if (path.size() == 1) {
      return json(discovery.groups());
    }
    if (path.get(1).isEmpty()) {
      return found(null, false); // its place is /api
    }
    boolean builtIn = resources.isBuiltIn(path.get(1));
    return switch (path.size()) {
      case 2 -> found(discovery.group(path.get(1)), builtIn);
      case 3 -> found(discovery.resources(path.get(1), path.get(2)), builtIn);
      default -> found(null, builtIn);
    };
  }

  private static boolean isAggregated(ApiRequest request) {
    return Accept.parse(request.header("accept"), Accept.Offer.ALL).as()
        == Accept.As.AGGREGATED_DISCOVERY;
  }

  /**
   * @param inApi whether what stands there is always the API's: else it is as if there were none
   */
  private static ApiResponse found(@Nullable ObjectNode body, boolean inApi) {
    if (body == null) {
      throw inApi ? Status.noSuchPath().asException() : PlainAnswer.noSuchPage();
    }
    return json(body);
  }

  private static ApiResponse json(ObjectNode body) {
    return new ApiResponse(
        200,
        List.of(new ApiResponse.Header("Content-Type", "application/json")),
        new ApiResponse.Whole(Json.encode(body)));
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
    if (openId != null) {
      paths.add(OpenIdPages.CONFIGURATION_PATH).add(OpenIdPages.KEYS_PATH);
    }
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

  /** Of the version, what upstream's metric has as labels. */
  private Map<String, String> buildInfo() {
    Map<String, String> info = new LinkedHashMap<>();
    version()
        .properties()
        .forEach(
            field -> {
              String name = field.getKey().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
              if (!name.startsWith("emulation") && !name.startsWith("min_")) {
                info.put(name, field.getValue().asString());
              }
            });
    return info;
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
    Map<String, BooleanSupplier> checks = checks(path.getFirst());
    if (path.size() > 1) {
      String name = String.join("/", path.subList(1, path.size()));
      BooleanSupplier one = checks.get(KNOWN_CHECKS.getOrDefault(name, name));
      if (one == null) {
        throw PlainAnswer.noSuchPage();
      }
      return one.getAsBoolean()
          ? PlainAnswer.text(200, "ok")
          : PlainAnswer.text(500, "internal server error: " + name + " failed\n");
    }
    Set<String> excluded = new HashSet<>();
    Set<String> unknown = new TreeSet<>();
    for (String name : query.all("exclude")) {
      String check = KNOWN_CHECKS.getOrDefault(name, name);
      if (checks.containsKey(check)) {
        excluded.add(check);
      } else {
        unknown.add("\"" + name + "\"");
      }
    }
    var report = new StringBuilder();
    boolean healthy = true;
    for (Map.Entry<String, BooleanSupplier> check : checks.entrySet()) {
      boolean left = excluded.contains(check.getKey());
      boolean passes = left || check.getValue().getAsBoolean();
      healthy &= passes;
      report
          .append(passes ? "[+]" : "[-]")
          .append(check.getKey())
          .append(left ? " excluded: ok\n" : passes ? " ok\n" : " failed: reason withheld\n");
    }
    if (!unknown.isEmpty()) {
      report
          .append("warn: some health checks cannot be excluded: no matches for ")
          .append(String.join(", ", unknown))
          .append('\n');
    }
    report.append(path.getFirst()).append(healthy ? " check passed\n" : " check failed\n");
    if (healthy) {
      return PlainAnswer.text(200, query.has("verbose") ? report.toString() : "ok");
    }
    return PlainAnswer.text(500, report.toString());
  }
}
