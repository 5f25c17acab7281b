package dev.evenkeel.kernel.fit;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.quantity.Amounts;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What a pod as a whole asks for and is limited to. Containers run side by side, so theirs add up;
 * init containers run one after the other before them, so the largest counts; those among them that
 * go on running add to everything that starts after them.
 */
public final class PodAmounts {

  private static final Set<String> OF_PODS = Set.of("cpu", "memory");

  private PodAmounts() {}

  /** What its containers ask for, or the pod itself where it says so. */
  public static Amounts requests(JsonNode spec) {
    return overridden(ofContainers(spec, "requests"), spec, "requests");
  }

  public static Amounts limits(JsonNode spec) {
    return overridden(ofContainers(spec, "limits"), spec, "limits");
  }

  public static Amounts requestsWithOverhead(JsonNode spec) {
    return requests(spec).plus(Amounts.of(spec.path("overhead")));
  }

  /** What is not limited does not become so by what running the pod costs. */
  public static Amounts limitsWithOverhead(JsonNode spec) {
    Amounts limits = limits(spec);
    return limits.plus(
        Amounts.of(spec.path("overhead")).only(name -> limits.orZero(name).signum() != 0));
  }

  /** Whether the pod as a whole says what it needs, so that its containers need not. */
  public static boolean saidByPod(JsonNode spec) {
    JsonNode resources = spec.path("resources");
    return hasOfPods(resources.path("requests")) || hasOfPods(resources.path("limits"));
  }

  private static boolean hasOfPods(JsonNode list) {
    return Amounts.of(list).names().stream().anyMatch(PodAmounts::isOfPods);
  }

  private static boolean isOfPods(String name) {
    return OF_PODS.contains(name) || name.startsWith("hugepages-");
  }

  private static Amounts overridden(Amounts sums, JsonNode spec, String list) {
    JsonNode ofPod = spec.path("resources").path(list);
    return ofPod.isEmpty() ? sums : sums.replacedBy(Amounts.of(ofPod).only(PodAmounts::isOfPods));
  }

  private static Amounts ofContainers(JsonNode spec, String list) {
    Amounts running = Amounts.NONE;
    for (JsonNode container : spec.path("containers")) {
      running = running.plus(Amounts.of(container.path("resources").path(list)));
    }
    Amounts sidecars = Amounts.NONE;
    Amounts starting = Amounts.NONE;
    for (JsonNode container : spec.path("initContainers")) {
      Amounts own = Amounts.of(container.path("resources").path(list));
      if (Meta.text(container.path("restartPolicy")).equals("Always")) {
        running = running.plus(own);
        sidecars = sidecars.plus(own);
        starting = starting.max(sidecars);
      } else {
        starting = starting.max(own.plus(sidecars));
      }
    }
    return running.max(starting);
  }
}
