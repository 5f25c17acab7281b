package dev.evenkeel.decide.controllers.cluster;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The taints that follow from a node's conditions; others are left alone. */
final class NodeTaints {

  private static final String NOT_READY = "node.kubernetes.io/not-ready";
  private static final String UNREACHABLE = "node.kubernetes.io/unreachable";
  private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

  private static final String NO_SCHEDULE = "NoSchedule";
  private static final String NO_EXECUTE = "NoExecute";

  /** By condition, if it is true. */
  private static final Map<String, String> PRESSURES =
      Map.of(
          "MemoryPressure", "node.kubernetes.io/memory-pressure",
          "DiskPressure", "node.kubernetes.io/disk-pressure",
          "PIDPressure", "node.kubernetes.io/pid-pressure",
          "NetworkUnavailable", "node.kubernetes.io/network-unavailable");

  private record Taint(String key, String effect) {}

  private NodeTaints() {}

  /** What to change; empty if the taints are right. */
  static ObjectNode change(ObjectNode node, Instant now) {
    Set<Taint> wanted = wanted(node);
    Set<Taint> missing = new LinkedHashSet<>(wanted);
    ArrayNode taints = JsonNodeFactory.instance.arrayNode();
    boolean surplus = false;
    for (JsonNode known : node.path("spec").path("taints")) {
      var taint = new Taint(Meta.text(known.path("key")), Meta.text(known.path("effect")));
      if (isOurs(taint) && !wanted.contains(taint)) {
        surplus = true;
      } else {
        taints.add(known);
        missing.remove(taint);
      }
    }
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    if (missing.isEmpty() && !surplus) {
      return change;
    }
    for (Taint taint : missing) {
      taints
          .addObject()
          .put("key", taint.key)
          .put("effect", taint.effect)
          .put("timeAdded", WireTime.seconds(now));
    }
    ObjectNode spec = change.putObject("spec");
    if (taints.isEmpty()) {
      spec.putNull("taints");
    } else {
      spec.set("taints", taints);
    }
    return change;
  }

  private static boolean isOurs(Taint taint) {
    boolean ofReady = taint.key.equals(NOT_READY) || taint.key.equals(UNREACHABLE);
    return switch (taint.effect) {
      case NO_EXECUTE -> ofReady;
      case NO_SCHEDULE ->
          ofReady || taint.key.equals(UNSCHEDULABLE) || PRESSURES.containsValue(taint.key);
      default -> false;
    };
  }

  private static Set<Taint> wanted(ObjectNode node) {
    Set<Taint> wanted = new LinkedHashSet<>();
    Set<String> seen = new HashSet<>();
    for (JsonNode condition : node.path("status").path("conditions")) {
      String type = Meta.text(condition.path("type"));
      String status = Meta.text(condition.path("status"));
      if (!seen.add(type)) {
        continue;
      }
      String pressure = PRESSURES.get(type);
      if (pressure != null && status.equals("True")) {
        wanted.add(new Taint(pressure, NO_SCHEDULE));
      }
      if (type.equals("Ready") && !status.equals("True")) {
        String key = status.equals("False") ? NOT_READY : UNREACHABLE;
        wanted.add(new Taint(key, NO_SCHEDULE));
        wanted.add(new Taint(key, NO_EXECUTE));
      }
    }
    if (node.path("spec").path("unschedulable").asBoolean(false)) {
      wanted.add(new Taint(UNSCHEDULABLE, NO_SCHEDULE));
    }
    return wanted;
  }
}
