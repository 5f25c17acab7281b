package dev.evenkeel.decide.controllers.network;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.cache.Indexes;
import dev.evenkeel.observe.object.Cached;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A pod as an entry of a slice. */
final class SliceEndpoint {

  private SliceEndpoint() {}

  /**
   * The entry of a pod.
   *
   * @param addresses of the slice's family
   * @param node that the pod is on; null if it is not known
   */
  static ObjectNode of(
      ServicePod pod,
      List<String> addresses,
      @Nullable Cached<ObjectNode> node,
      Cached<ObjectNode> seen,
      ObjectNode service) {
    JsonNode spec = service.path("spec");
    boolean ready =
        spec.path("publishNotReadyAddresses").asBoolean(false)
            || (pod.isReady() && !pod.isEnding());
    String zone = node == null ? "" : node.labels().getOrDefault(Indexes.ZONE_LABEL, "");
    ObjectNode endpoint = JsonNodeFactory.instance.objectNode();
    addresses.forEach(endpoint.putArray("addresses")::add);
    endpoint
        .putObject("conditions")
        .put("ready", ready)
        .put("serving", pod.isReady())
        .put("terminating", pod.isEnding());
    if (!pod.hostname(seen).isEmpty()) {
      endpoint.put("hostname", pod.hostname(seen));
    }
    if (ready) {
      hint(endpoint, Meta.text(spec.path("trafficDistribution")), zone, pod.node());
    }
    if (!pod.node().isEmpty()) {
      endpoint.put("nodeName", pod.node());
    }
    endpoint.set("targetRef", pod.reference());
    if (!zone.isEmpty()) {
      endpoint.put("zone", zone);
    }
    return endpoint;
  }

  /** Says for whom it is close, if the service asks for traffic to stay close. */
  private static void hint(ObjectNode endpoint, String distribution, String zone, String node) {
    boolean byNode = distribution.equals("PreferSameNode");
    boolean byZone =
        byNode || distribution.equals("PreferClose") || distribution.equals("PreferSameZone");
    ObjectNode hints = JsonNodeFactory.instance.objectNode();
    if (byZone && !zone.isEmpty()) {
      hints.putArray("forZones").addObject().put("name", zone);
    }
    if (byNode && !node.isEmpty()) {
      hints.putArray("forNodes").addObject().put("name", node);
    }
    if (!hints.isEmpty()) {
      endpoint.set("hints", hints);
    }
  }
}
