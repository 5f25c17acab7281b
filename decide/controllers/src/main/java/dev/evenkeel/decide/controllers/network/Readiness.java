package dev.evenkeel.decide.controllers.network;

import dev.evenkeel.kernel.api.Meta;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How endpoints show pods: as ready, as not ready or not at all. What differs from what was shown
 * before tells since when the change has been due, which clients measure their networks by.
 */
final class Readiness {

  static final String TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

  private final Map<String, Boolean> readyByPod = new HashMap<>();

  /** What Endpoints show. */
  static Readiness ofSubsets(JsonNode subsets) {
    var readiness = new Readiness();
    for (JsonNode subset : subsets) {
      subset.path("addresses").forEach(address -> readiness.add(address, true));
      subset.path("notReadyAddresses").forEach(address -> readiness.add(address, false));
    }
    return readiness;
  }

  /** Adds what a slice shows. */
  void addEndpoints(Iterable<? extends JsonNode> endpoints) {
    for (JsonNode endpoint : endpoints) {
      add(endpoint, endpoint.path("conditions").path("ready").asBoolean(false));
    }
  }

  private void add(JsonNode endpoint, boolean ready) {
    readyByPod.put(Meta.text(endpoint.path("targetRef").path("name")), ready);
  }

  /** When the first of the pods changed that are shown otherwise now; null if none did. */
  static @Nullable String triggered(Readiness before, Readiness after, List<ServicePod> pods) {
    Instant first = null;
    for (ServicePod pod : pods) {
      Boolean was = before.readyByPod.get(pod.name());
      Boolean is = after.readyByPod.get(pod.name());
      if (was == null ? is != null : !was.equals(is)) {
        Instant changed = pod.readinessChanged();
        first = changed != null && (first == null || changed.isBefore(first)) ? changed : first;
      }
    }
    return first == null ? null : first.toString();
  }
}
