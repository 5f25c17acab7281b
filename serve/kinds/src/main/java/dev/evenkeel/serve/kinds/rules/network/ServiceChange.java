package dev.evenkeel.serve.kinds.rules.network;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What may change about a service. What the server gave out, the user need not write: an update
 * that leaves it out keeps it.
 */
final class ServiceChange {

  private static final List<String> CLUSTER_FIELDS =
      List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");

  private ServiceChange() {}

  static void keepWhatWasGiven(ObjectNode spec, JsonNode old) {
    String type = Meta.text(spec.path("type"));
    String oldType = Meta.text(old.path("type"));
    if (type.equals("ExternalName")) {
      dropForExternalName(spec, old, oldType);
      return;
    }
    if (!oldType.equals("ExternalName")) {
      keepAddresses(spec, old);
    }
    if (hasNodePorts(type) && hasNodePorts(oldType)) {
      keepNodePorts(spec.path("ports"), old.path("ports"));
    }
    if (!hasNodePorts(type) && hasNodePorts(oldType)) {
      dropNodePorts(spec.path("ports"), old.path("ports"));
    }
    keepHealthCheck(spec, old);
    boolean leavesBalancer = oldType.equals("LoadBalancer") && !type.equals("LoadBalancer");
    if (leavesBalancer) {
      for (String field : List.of("allocateLoadBalancerNodePorts", "loadBalancerClass")) {
        if (spec.path(field).equals(old.path(field))) {
          spec.remove(field);
        }
      }
    }
    boolean closes = hasNodePorts(oldType) && type.equals("ClusterIP");
    if (closes
        && spec.path("externalIPs").isEmpty()
        && spec.path("externalTrafficPolicy").equals(old.path("externalTrafficPolicy"))) {
      spec.remove("externalTrafficPolicy");
    }
  }

  private static boolean hasNodePorts(String type) {
    return type.equals("NodePort") || type.equals("LoadBalancer");
  }

  private static void dropForExternalName(ObjectNode spec, JsonNode old, String oldType) {
    if (oldType.equals("ExternalName")) {
      return;
    }
    for (String field : CLUSTER_FIELDS) {
      if (spec.path(field).equals(old.path(field))) {
        spec.remove(field);
      }
    }
    dropNodePorts(spec.path("ports"), old.path("ports"));
    spec.remove("internalTrafficPolicy");
    spec.remove("externalTrafficPolicy");
    spec.remove("healthCheckNodePort");
    spec.remove("allocateLoadBalancerNodePorts");
  }

  private static void keepAddresses(ObjectNode spec, JsonNode old) {
    String address = Meta.text(spec.path("clusterIP"));
    if (address.isEmpty() && spec.path("clusterIPs").isEmpty()) {
      copy(spec, old, "clusterIP");
      copy(spec, old, "clusterIPs");
    } else if (!address.equals(Meta.text(old.path("clusterIP")))
        && spec.path("clusterIPs").equals(old.path("clusterIPs"))) {
      // Only the older of the two fields was changed: the newer one follows.
      spec.putArray("clusterIPs").add(address);
    }
    for (String field : List.of("ipFamilies", "ipFamilyPolicy")) {
      if (spec.path(field).isMissingNode()) {
        copy(spec, old, field);
      }
    }
  }

  private static void keepNodePorts(JsonNode ports, JsonNode oldPorts) {
    for (JsonNode port : ports) {
      if (!(port instanceof ObjectNode object) || object.path("nodePort").asLong(0) != 0) {
        continue;
      }
      for (JsonNode old : oldPorts) {
        boolean samePort =
            old.path("port").asLong(0) == object.path("port").asLong(0)
                && Meta.text(old.path("protocol")).equals(Meta.text(object.path("protocol")));
        if (samePort && old.path("nodePort").asLong(0) != 0) {
          object.set("nodePort", old.get("nodePort"));
        }
      }
    }
  }

  private static void dropNodePorts(JsonNode ports, JsonNode oldPorts) {
    for (int i = 0; i < ports.size(); i++) {
      if (ports.path(i) instanceof ObjectNode port
          && port.path("nodePort").equals(oldPorts.path(i).path("nodePort"))) {
        port.remove("nodePort");
      }
    }
  }

  private static void keepHealthCheck(ObjectNode spec, JsonNode old) {
    if (needsHealthCheck(spec) && needsHealthCheck(old)) {
      if (spec.path("healthCheckNodePort").asLong(0) == 0) {
        copy(spec, old, "healthCheckNodePort");
      }
    } else if (!needsHealthCheck(spec)
        && spec.path("healthCheckNodePort").equals(old.path("healthCheckNodePort"))) {
      spec.remove("healthCheckNodePort");
    }
  }

  private static boolean needsHealthCheck(JsonNode spec) {
    return Meta.text(spec.path("type")).equals("LoadBalancer")
        && Meta.text(spec.path("externalTrafficPolicy")).equals("Local");
  }

  private static void copy(ObjectNode spec, JsonNode old, String field) {
    if (old.has(field)) {
      spec.set(field, old.get(field));
    }
  }

  static void validate(Place spec, JsonNode old) {
    boolean external =
        spec.at("type").is("ExternalName") || Meta.text(old.path("type")).equals("ExternalName");
    if (!external) {
      addresses(spec, old);
      families(spec, old);
    }
    boolean balancedBoth =
        spec.at("type").is("LoadBalancer") && Meta.text(old.path("type")).equals("LoadBalancer");
    Place name = spec.at("loadBalancerClass");
    if (balancedBoth && !name.text().equals(Meta.text(old.path("loadBalancerClass")))) {
      name.invalid("may not change once set");
    }
    Place health = spec.at("healthCheckNodePort");
    if (needsHealthCheck(spec.node())
        && needsHealthCheck(old)
        && health.number() != old.path("healthCheckNodePort").asLong(0)) {
      health.forbidden("field is immutable");
    }
  }

  private static void addresses(Place spec, JsonNode old) {
    Place addresses = spec.at("clusterIPs");
    JsonNode before = old.path("clusterIPs");
    boolean wasHeadless = before.size() == 1 && Meta.text(before.path(0)).equals("None");
    if (wasHeadless && ServiceAddresses.isHeadless(spec)) {
      return;
    }
    if (addresses.isEmpty() && !before.isEmpty()) {
      addresses.item(0).holding(addresses.node()).invalid("primary clusterIP can not be unset");
      return;
    }
    for (int i = 0; i < Math.min(before.size(), addresses.size()); i++) {
      if (!addresses.item(i).is(Meta.text(before.path(i)))) {
        addresses.item(i).holding(addresses.node()).invalid("may not change once set");
      }
    }
    if (addresses.size() < before.size() && !spec.at("ipFamilyPolicy").is("SingleStack")) {
      spec.at("ipFamilyPolicy")
          .invalid("must be set to 'SingleStack' when releasing the secondary clusterIP");
    }
  }

  private static void families(Place spec, JsonNode old) {
    Place families = spec.at("ipFamilies");
    JsonNode before = old.path("ipFamilies");
    if (ServiceAddresses.isHeadless(spec) || families.isEmpty() || before.isEmpty()) {
      return;
    }
    if (!families.item(0).is(Meta.text(before.path(0)))) {
      families.item(0).holding(families.node()).invalid("may not change once set");
    }
  }
}
