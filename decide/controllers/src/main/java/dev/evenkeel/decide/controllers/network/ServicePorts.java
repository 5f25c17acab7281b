package dev.evenkeel.decide.controllers.network;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Where the ports of a service lead to on a pod. A port may be named, and each pod decides. */
final class ServicePorts {

  private ServicePorts() {}

  /** Whether its users ask for its pods by name, and not for one address for all. */
  static boolean isHeadless(JsonNode service) {
    return Meta.text(service.path("spec").path("clusterIP")).equals("None");
  }

  /** Those of the service's ports that the pod has, as both kinds of endpoints write them. */
  static List<ObjectNode> on(ServicePod pod, JsonNode service) {
    List<ObjectNode> ports = new ArrayList<>(1);
    for (JsonNode port : service.path("spec").path("ports")) {
      int number = target(port, pod.tree());
      if (number > 0) {
        ObjectNode found = JsonNodeFactory.instance.objectNode();
        found.put("name", Meta.text(port.path("name")));
        found.put("port", number);
        found.put("protocol", protocol(port));
        if (port.has("appProtocol")) {
          found.set("appProtocol", port.get("appProtocol"));
        }
        ports.add(found);
      }
    }
    return ports;
  }

  private static int target(JsonNode port, JsonNode pod) {
    JsonNode target = port.path("targetPort");
    if (target.isIntegralNumber() && target.intValue() > 0) {
      return target.intValue();
    }
    String name = Meta.text(target);
    return name.isEmpty() || target.isNumber()
        ? port.path("port").asInt(0)
        : named(name, protocol(port), pod.path("spec"));
  }

  private static int named(String name, String protocol, JsonNode spec) {
    for (JsonNode container : spec.path("containers")) {
      int number = named(name, protocol, container.path("ports"), 0);
      if (number > 0) {
        return number;
      }
    }
    for (JsonNode container : spec.path("initContainers")) {
      boolean staysUp = Meta.text(container.path("restartPolicy")).equals("Always");
      int number = staysUp ? named(name, protocol, container.path("ports"), 0) : 0;
      if (number > 0) {
        return number;
      }
    }
    return 0;
  }

  private static int named(String name, String protocol, JsonNode ports, int none) {
    for (JsonNode port : ports) {
      if (Meta.text(port.path("name")).equals(name) && protocol(port).equals(protocol)) {
        return port.path("containerPort").asInt(none);
      }
    }
    return none;
  }

  static String protocol(JsonNode port) {
    String protocol = Meta.text(port.path("protocol"));
    return protocol.isEmpty() ? "TCP" : protocol;
  }
}
