package dev.evenkeel.serve.podsecurity;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Looks at the pods that a namespace has when it is to enforce more: they stay, and whoever changes
 * the namespace is told of them.
 *
 * <p><b>Invariants:</b> looks at no more than so many pods, and begins with no other after so long;
 * what was left out is told.
 *
 * <p><b>Threading:</b> one for each look, used by one thread.
 */
public final class ExistingPods {

  /** As upstream. */
  static final int PODS_MAX = 3_000;

  static final long NANOS_MAX = 1_000_000_000;

  /** Pods that violate the same. */
  private record Group(String firstName, int pods) {

    String told(String reasons) {
      String others =
          switch (pods) {
            case 1 -> "";
            case 2 -> " (and 1 other pod)";
            default -> " (and " + (pods - 1) + " other pods)";
          };
      return firstName + others + ": " + reasons;
    }
  }

  private final LevelVersion enforced;
  private final Clock clock;
  private final long startNanos;
  private final Map<String, Group> groups = new TreeMap<>();
  private int checked;

  public ExistingPods(LevelVersion enforced, Clock clock) {
    this.enforced = enforced;
    this.clock = clock;
    this.startNanos = clock.nanoTime();
  }

  /**
   * What to warn of. Pods of one controller are usually alike, so one of each comes first.
   *
   * @param pods those of the namespace, as JSON
   */
  public List<String> warnings(String namespace, List<byte[]> pods) {
    Set<String> controllers = new HashSet<>();
    List<byte[]> alike = new ArrayList<>();
    for (int i = 0; i < pods.size() && mayGoOn(); i++) {
      ObjectNode pod = Json.parseObject(pods.get(i));
      String controller = controllerUid(pod);
      if (controller.isEmpty() || controllers.add(controller)) {
        check(pod);
      } else {
        alike.add(pods.get(i));
      }
    }
    for (int i = 0; i < alike.size() && mayGoOn(); i++) {
      check(Json.parseObject(alike.get(i)));
    }
    return told(namespace, pods.size());
  }

  private boolean mayGoOn() {
    return checked < PODS_MAX && clock.nanoTime() - startNanos < NANOS_MAX;
  }

  private static String controllerUid(ObjectNode pod) {
    for (JsonNode owner : pod.path("metadata").path("ownerReferences")) {
      if (CheckedPod.isTrue(owner.path("controller"))) {
        return Meta.text(owner.path("uid"));
      }
    }
    return "";
  }

  private void check(ObjectNode pod) {
    checked++;
    Findings findings = Standards.check(enforced, pod);
    if (!findings.isEmpty()) {
      String name = Meta.name(pod);
      groups.merge(
          findings.reasons(),
          new Group(name, 1),
          (known, one) ->
              new Group(
                  known.firstName().compareTo(name) < 0 ? known.firstName() : name,
                  known.pods() + one.pods()));
    }
  }

  private List<String> told(String namespace, int total) {
    List<String> warnings = new ArrayList<>();
    if (checked < total) {
      warnings.add(
          "new PodSecurity enforce level only checked against the first %d of %d existing pods"
              .formatted(checked, total));
    }
    if (!groups.isEmpty()) {
      warnings.add(
          "existing pods in namespace \"%s\" violate the new PodSecurity enforce level \"%s\""
              .formatted(namespace, enforced));
      groups.entrySet().stream()
          .map(group -> group.getValue().told(group.getKey()))
          .sorted()
          .forEach(warnings::add);
    }
    return warnings;
  }
}
