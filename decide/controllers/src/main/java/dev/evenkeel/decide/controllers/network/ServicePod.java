package dev.evenkeel.decide.controllers.network;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A pod that a service selects, with what its users need to reach it. */
record ServicePod(Cached<ObjectNode> seen, ObjectNode tree) {

  String name() {
    return seen.name();
  }

  boolean isReady() {
    return Pods.readySince(tree) != null;
  }

  boolean isEnding() {
    return Pods.isEnding(tree);
  }

  /** Whether it has an address and may answer there. */
  boolean isReachable() {
    String phase = Pods.phase(tree);
    return !phase.equals("Succeeded") && !phase.equals("Failed") && !addresses().isEmpty();
  }

  List<String> addresses() {
    List<String> addresses = new ArrayList<>(2);
    JsonNode status = tree.path("status");
    for (JsonNode address : status.path("podIPs")) {
      addresses.add(Meta.text(address.path("ip")));
    }
    if (addresses.isEmpty()) {
      addresses.add(Meta.text(status.path("podIP")));
    }
    addresses.removeIf(String::isEmpty);
    return addresses;
  }

  List<String> addresses(Family family) {
    return addresses().stream().filter(address -> Family.of(address) == family).toList();
  }

  /** Empty if it has none yet. */
  String node() {
    return Meta.text(tree.path("spec").path("nodeName"));
  }

  /** The name that it has in the service's domain; empty if it asks for none there. */
  String hostname(Cached<ObjectNode> service) {
    JsonNode spec = tree.path("spec");
    return Meta.text(spec.path("subdomain")).equals(service.name())
        ? Meta.text(spec.path("hostname"))
        : "";
  }

  ObjectNode reference() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("kind", "Pod")
        .put("namespace", seen.namespace())
        .put("name", seen.name())
        .put("uid", seen.uid());
  }

  /** When it last became ready, or stopped being so; null if it never did. */
  @Nullable Instant readinessChanged() {
    for (JsonNode condition : tree.path("status").path("conditions")) {
      if (Meta.text(condition.path("type")).equals("Ready")) {
        return Pods.time(condition.path("lastTransitionTime"));
      }
    }
    return null;
  }
}
