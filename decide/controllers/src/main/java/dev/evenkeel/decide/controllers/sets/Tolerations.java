package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.kernel.api.Meta;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What pods of daemon sets put up with: more than others, as their nodes need them. */
final class Tolerations {

  private static final String NO_SCHEDULE = "NoSchedule";
  private static final String NO_EXECUTE = "NoExecute";
  private static final String PREFIX = "node.kubernetes.io/";

  private Tolerations() {}

  /** Gives a pod those that every daemon's pod has. */
  static void add(ObjectNode podSpec) {
    ArrayNode tolerations =
        podSpec.get("tolerations") instanceof ArrayNode known
            ? known
            : podSpec.putArray("tolerations");
    for (String key : List.of("not-ready", "unreachable")) {
      put(tolerations, PREFIX + key, NO_EXECUTE);
    }
    for (String key :
        List.of("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")) {
      put(tolerations, PREFIX + key, NO_SCHEDULE);
    }
    if (podSpec.path("hostNetwork").asBoolean(false)) {
      put(tolerations, PREFIX + "network-unavailable", NO_SCHEDULE);
    }
  }

  /** One that is the same but for how long it lasts gives way: a daemon's lasts. */
  private static void put(ArrayNode tolerations, String key, String effect) {
    for (int i = 0; i < tolerations.size(); i++) {
      JsonNode known = tolerations.path(i);
      if (Meta.text(known.path("key")).equals(key)
          && Meta.text(known.path("effect")).equals(effect)
          && Meta.text(known.path("operator")).equals("Exists")
          && Meta.text(known.path("value")).isEmpty()) {
        if (known instanceof ObjectNode object) {
          object.remove("tolerationSeconds");
        }
        return;
      }
    }
    tolerations.addObject().put("key", key).put("operator", "Exists").put("effect", effect);
  }

  /** Whether a new pod may come to a node with these taints. */
  static boolean letIn(JsonNode tolerations, JsonNode taints) {
    return tolerateAll(tolerations, taints, Set.of(NO_SCHEDULE, NO_EXECUTE));
  }

  /** Whether a pod that is there may stay. */
  static boolean letStay(JsonNode tolerations, JsonNode taints) {
    return tolerateAll(tolerations, taints, Set.of(NO_EXECUTE));
  }

  private static boolean tolerateAll(JsonNode tolerations, JsonNode taints, Set<String> effects) {
    for (JsonNode taint : taints) {
      if (effects.contains(Meta.text(taint.path("effect"))) && !tolerate(tolerations, taint)) {
        return false;
      }
    }
    return true;
  }

  private static boolean tolerate(JsonNode tolerations, JsonNode taint) {
    for (JsonNode toleration : tolerations) {
      String effect = Meta.text(toleration.path("effect"));
      String key = Meta.text(toleration.path("key"));
      boolean exists = Meta.text(toleration.path("operator")).equals("Exists");
      boolean concerns =
          (effect.isEmpty() || effect.equals(Meta.text(taint.path("effect"))))
              && (key.isEmpty() ? exists : key.equals(Meta.text(taint.path("key"))));
      if (concerns
          && (exists
              || Meta.text(toleration.path("value")).equals(Meta.text(taint.path("value"))))) {
        return true;
      }
    }
    return false;
  }
}
