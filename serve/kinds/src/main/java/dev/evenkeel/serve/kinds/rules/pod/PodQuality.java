package dev.evenkeel.serve.kinds.rules.pod;

import dev.evenkeel.kernel.quantity.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** How well a pod is cared for when its node runs short: its quality of service class. */
final class PodQuality {

  private static final List<String> COUNTED = List.of("cpu", "memory");

  private PodQuality() {}

  /** {@code Guaranteed}, {@code Burstable} or {@code BestEffort}. */
  static String of(JsonNode spec) {
    Map<String, Quantity> requests = new HashMap<>();
    Map<String, Quantity> limits = new HashMap<>();
    boolean everyoneLimited = true;
    if (!spec.path("resources").isEmpty()) {
      everyoneLimited = add(spec.path("resources"), requests, limits);
    } else {
      for (String list : List.of("containers", "initContainers")) {
        for (JsonNode container : spec.path(list)) {
          everyoneLimited &= add(container.path("resources"), requests, limits);
        }
      }
    }
    if (requests.isEmpty() && limits.isEmpty()) {
      return "BestEffort";
    }
    return everyoneLimited && requests.equals(limits) ? "Guaranteed" : "Burstable";
  }

  /** Whether both resources are limited. */
  private static boolean add(
      JsonNode resources, Map<String, Quantity> requests, Map<String, Quantity> limits) {
    boolean limited = true;
    for (String name : COUNTED) {
      addPositive(resources.path("requests"), name, requests);
      limited &= addPositive(resources.path("limits"), name, limits);
    }
    return limited;
  }

  private static boolean addPositive(JsonNode amounts, String name, Map<String, Quantity> sums) {
    Quantity amount = Quantity.tryRead(amounts.path(name));
    if (amount == null || amount.signum() <= 0) {
      return false;
    }
    sums.merge(name, amount, Quantity::plus);
    return true;
  }
}
