package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.fit.PodAmounts;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.serve.kinds.rules.check.Resources;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Pods and what they ask for. A pod that has ended uses nothing but its place in the store, so it
 * counts for {@code count/pods} alone.
 *
 * <p>Upstream also stops counting a pod whose grace has long passed. That depends on the time and
 * not on the pod, and what is returned would not be what was charged: here a pod counts until it
 * has ended or is gone.
 */
record PodEvaluator() implements Evaluator {

  private static final String REQUESTS = "requests.";
  private static final String LIMITS = "limits.";
  private static final String HUGE_PAGES = "hugepages-";

  private static final List<String> NATIVE = List.of("cpu", "memory", "ephemeral-storage");

  private static final Set<String> RESOURCES =
      Set.of(
          "count/pods",
          "pods",
          "cpu",
          "memory",
          "ephemeral-storage",
          "requests.cpu",
          "requests.memory",
          "requests.ephemeral-storage",
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage");

  /** What every container must name once a quota limits it; upstream regrets it, and keeps it. */
  private static final Set<String> MUST_BE_NAMED =
      Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

  @Override
  public String group() {
    return "";
  }

  @Override
  public String plural() {
    return "pods";
  }

  @Override
  public boolean tracks(String resource) {
    return RESOURCES.contains(resource)
        || resource.startsWith(HUGE_PAGES)
        || resource.startsWith(REQUESTS + HUGE_PAGES)
        || (resource.startsWith(REQUESTS) && !Resources.isNative(resource));
  }

  @Override
  public Amounts usage(JsonNode pod) {
    var amounts = new TreeMap<String, Quantity>();
    amounts.put("count/pods", Amounts.ONE);
    if (!hasEnded(pod)) {
      amounts.put("pods", Amounts.ONE);
      JsonNode spec = pod.path("spec");
      put(amounts, PodAmounts.requestsWithOverhead(spec), PodAmounts.limitsWithOverhead(spec));
    }
    return new Amounts(amounts);
  }

  private static boolean hasEnded(JsonNode pod) {
    String phase = Meta.text(pod.path("status").path("phase"));
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  private static void put(Map<String, Quantity> amounts, Amounts requests, Amounts limits) {
    for (String name : NATIVE) {
      Quantity request = requests.get(name);
      if (request != null) {
        amounts.put(name, request);
        amounts.put(REQUESTS + name, request);
      }
      Quantity limit = limits.get(name);
      if (limit != null) {
        amounts.put(LIMITS + name, limit);
      }
    }
    requests
        .byName()
        .forEach(
            (name, request) -> {
              if (name.startsWith(HUGE_PAGES)) {
                amounts.put(name, request);
                amounts.put(REQUESTS + name, request);
              } else if (!Resources.isNative(name)) {
                amounts.put(REQUESTS + name, request);
              }
            });
  }

  @Override
  public String missing(Set<String> limited, JsonNode pod) {
    JsonNode spec = pod.path("spec");
    if (limited.stream().noneMatch(MUST_BE_NAMED::contains) || PodAmounts.saidByPod(spec)) {
      return "";
    }
    Map<String, Set<String>> containersByResource = new TreeMap<>();
    for (String list : List.of("containers", "initContainers")) {
      for (JsonNode container : spec.path(list)) {
        Map<String, Quantity> named = new TreeMap<>();
        JsonNode resources = container.path("resources");
        put(named, Amounts.of(resources.path("requests")), Amounts.of(resources.path("limits")));
        for (String resource : limited) {
          if (MUST_BE_NAMED.contains(resource) && !named.containsKey(resource)) {
            containersByResource
                .computeIfAbsent(resource, _ -> new TreeSet<>())
                .add(Meta.text(container.path("name")));
          }
        }
      }
    }
    return containersByResource.isEmpty()
        ? ""
        : containersByResource.entrySet().stream()
            .map(entry -> entry.getKey() + " for: " + String.join(",", entry.getValue()))
            .collect(Collectors.joining("; ", "must specify ", ""));
  }

  @Override
  public boolean isIn(ScopeRequirement scope, JsonNode pod) {
    JsonNode spec = pod.path("spec");
    return switch (scope.scope()) {
      case "Terminating" -> hasDeadline(spec);
      case "NotTerminating" -> !hasDeadline(spec);
      case "BestEffort" -> isBestEffort(pod);
      case "NotBestEffort" -> !isBestEffort(pod);
      case "PriorityClass" -> {
        String name = Meta.text(spec.path("priorityClassName"));
        yield scope.holdsFor(name.isEmpty() ? Set.of() : Set.of(name));
      }
      case "CrossNamespacePodAffinity" -> looksIntoOtherNamespaces(spec.path("affinity"));
      case TenantQuotas.SCOPE -> TenantQuotas.isIn(scope, pod);
      default -> false;
    };
  }

  private static boolean hasDeadline(JsonNode spec) {
    return spec.path("activeDeadlineSeconds").asLong(-1) >= 0;
  }

  /** The server sets it when the pod is made, and nobody changes it. */
  private static boolean isBestEffort(JsonNode pod) {
    return Meta.text(pod.path("status").path("qosClass")).equals("BestEffort");
  }

  private static boolean looksIntoOtherNamespaces(JsonNode affinity) {
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      JsonNode terms = affinity.path(kind);
      for (JsonNode term : terms.path("requiredDuringSchedulingIgnoredDuringExecution")) {
        if (namesNamespaces(term)) {
          return true;
        }
      }
      for (JsonNode term : terms.path("preferredDuringSchedulingIgnoredDuringExecution")) {
        if (namesNamespaces(term.path("podAffinityTerm"))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean namesNamespaces(JsonNode term) {
    return !term.path("namespaces").isEmpty() || term.path("namespaceSelector").isObject();
  }
}
