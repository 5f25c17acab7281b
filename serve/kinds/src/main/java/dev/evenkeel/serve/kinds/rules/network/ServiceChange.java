package dev.evenkeel.serve.kinds.rules.network;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What may change about a service. What the server gave out, the user need not write: an update
 * that leaves it out keeps it.
 */
final class ServiceChange {

  private static final String ADDRESS = "clusterIP";
  private static final String ADDRESSES = "clusterIPs";
  private static final String HEALTH = "healthCheckNodePort";
  private static final String TRAFFIC = "externalTrafficPolicy";

  private ServiceChange() {}

  static void keepWhatWasGiven(ObjectNode spec, JsonNode old) {
    keepAddresses(spec, old);
    if (keepsNodePorts(old) && keepsNodePorts(spec)) {
      keepNodePorts(spec.path("ports"), old.path("ports"));
    }
    if (needsHealthCheck(spec) && needsHealthCheck(old) && spec.path(HEALTH).asLong(0) == 0) {
      copy(spec, old, HEALTH);
    }
    dropWhatTheTypeHasNot(spec, old);
  }

  private static boolean isExternal(JsonNode spec) {
    return Meta.text(spec.path("type")).equals("ExternalName");
  }

  private static void keepAddresses(ObjectNode spec, JsonNode old) {
    if (!isExternal(spec) && !isExternal(old)) {
      if (Meta.text(spec.path(ADDRESS)).isEmpty()) {
        copy(spec, old, ADDRESS);
      }
      if (spec.path(ADDRESSES).isEmpty()) {
        copy(spec, old, ADDRESSES);
      }
    }
    String address = Meta.text(spec.path(ADDRESS));
    String before = Meta.text(old.path(ADDRESS));
    if (address.equals(before)) {
      if (spec.path(ADDRESSES).isEmpty()) {
        copy(spec, old, ADDRESSES);
      }
    } else if (texts(spec.path(ADDRESSES)).equals(texts(old.path(ADDRESSES)))) {
      // Only the older of the two fields was changed: the newer one follows.
      spec.remove(ADDRESSES);
      if (!address.isEmpty()) {
        spec.putArray(ADDRESSES).add(address);
      }
    }
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>(list.size());
    for (JsonNode item : list) {
      texts.add(Meta.text(item));
    }
    return texts;
  }

  private static boolean hasNodePorts(JsonNode spec) {
    String type = Meta.text(spec.path("type"));
    return type.equals("NodePort") || type.equals("LoadBalancer");
  }

  private static boolean keepsNodePorts(JsonNode spec) {
    return hasNodePorts(spec)
        && (Meta.text(spec.path("type")).equals("NodePort")
            || spec.path("allocateLoadBalancerNodePorts").asBoolean(true));
  }

  /** By the names of the ports: a port that is renumbered keeps what nodes have for it. */
  private static void keepNodePorts(JsonNode ports, JsonNode oldPorts) {
    Set<Long> stillUsed = nodePorts(oldPorts);
    stillUsed.retainAll(nodePorts(ports));
    for (JsonNode port : ports) {
      if (!(port instanceof ObjectNode object) || object.path("nodePort").asLong(0) != 0) {
        continue;
      }
      for (JsonNode old : oldPorts) {
        long number = old.path("nodePort").asLong(0);
        if (Meta.text(old.path("name")).equals(Meta.text(object.path("name")))
            && number != 0
            && !stillUsed.contains(number)) {
          object.set("nodePort", old.get("nodePort"));
        }
      }
    }
  }

  private static Set<Long> nodePorts(JsonNode ports) {
    Set<Long> numbers = new HashSet<>();
    for (JsonNode port : ports) {
      if (port.path("nodePort").asLong(0) != 0) {
        numbers.add(port.path("nodePort").asLong(0));
      }
    }
    return numbers;
  }

  /** What belonged to the old type and was sent back unchanged goes by itself. */
  private static void dropWhatTheTypeHasNot(ObjectNode spec, JsonNode old) {
    if (isExternal(spec) && !isExternal(old)) {
      if (spec.path(ADDRESS).equals(old.path(ADDRESS))
          && texts(spec.path(ADDRESSES)).equals(texts(old.path(ADDRESSES)))) {
        spec.remove(ADDRESS);
        spec.remove(ADDRESSES);
      }
      dropIfSame(spec, old, "ipFamilies");
      dropIfSame(spec, old, "ipFamilyPolicy");
    }
    if (hasNodePorts(old)
        && !hasNodePorts(spec)
        && nodePorts(old.path("ports")).containsAll(nodePorts(spec.path("ports")))) {
      for (JsonNode port : spec.path("ports")) {
        if (port instanceof ObjectNode object) {
          object.remove("nodePort");
        }
      }
    }
    if (needsHealthCheck(old) && !needsHealthCheck(spec)) {
      dropIfSame(spec, old, HEALTH);
    }
    if (isBalanced(old) && !isBalanced(spec)) {
      dropIfSame(spec, old, "allocateLoadBalancerNodePorts");
      dropIfSame(spec, old, "loadBalancerClass");
    }
    if (isOpenToOutside(old) && !isOpenToOutside(spec)) {
      dropIfSame(spec, old, TRAFFIC);
    }
  }

  private static void dropIfSame(ObjectNode spec, JsonNode old, String field) {
    if (spec.path(field).equals(old.path(field))) {
      spec.remove(field);
    }
  }

  private static boolean isBalanced(JsonNode spec) {
    return Meta.text(spec.path("type")).equals("LoadBalancer");
  }

  private static boolean isOpenToOutside(JsonNode spec) {
    return hasNodePorts(spec)
        || (Meta.text(spec.path("type")).equals("ClusterIP")
            && !spec.path("externalIPs").isEmpty());
  }

  private static boolean needsHealthCheck(JsonNode spec) {
    return isBalanced(spec) && Meta.text(spec.path(TRAFFIC)).equals("Local");
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
    Place addresses = spec.at(ADDRESSES);
    List<String> now = texts(addresses.node());
    List<String> before = texts(old.path(ADDRESSES));
    if (isHeadless(before) && isHeadless(now)) {
      return;
    }
    if (now.size() == before.size()) {
      for (int i = 0; i < before.size(); i++) {
        if (!before.get(i).equals(now.get(i))) {
          whole(addresses, i, "may not change once set");
        }
      }
      return;
    }
    if (now.isEmpty()) {
      whole(addresses, 0, "primary clusterIP can not be unset");
    } else if (!before.isEmpty() && !now.getFirst().equals(before.getFirst())) {
      whole(addresses, 0, "may not change once set");
    }
    Place policy = spec.at("ipFamilyPolicy");
    if (now.size() == 1 && before.size() > 1 && !policy.is("SingleStack")) {
      policy.invalid("must be set to 'SingleStack' when releasing the secondary clusterIP");
    }
  }

  private static boolean isHeadless(List<String> addresses) {
    return addresses.size() == 1 && addresses.getFirst().equals("None");
  }

  private static void whole(Place list, int index, String detail) {
    list.item(index).holding(list.node()).invalid(detail);
  }

  private static void families(Place spec, JsonNode old) {
    Place families = spec.at("ipFamilies");
    List<String> now = texts(families.node());
    List<String> before = texts(old.path("ipFamilies"));
    if (ServiceAddresses.isHeadless(spec) || isHeadless(texts(old.path(ADDRESSES)))) {
      return;
    }
    if (now.size() == before.size()) {
      for (int i = 0; i < before.size(); i++) {
        if (!before.get(i).equals(now.get(i))) {
          whole(families, 0, "may not change once set");
        }
      }
      return;
    }
    if (now.size() < before.size() && spec.at(ADDRESSES).isEmpty()) {
      whole(families, 0, "primary ipFamily can not be unset");
    }
    if (!now.isEmpty() && !before.isEmpty() && !now.getFirst().equals(before.getFirst())) {
      families.item(0).holding(spec.at(ADDRESSES).node()).invalid("may not change once set");
    }
    Place policy = spec.at("ipFamilyPolicy");
    if (now.size() == 1 && before.size() > 1 && !policy.is("SingleStack")) {
      policy.invalid("must be set to 'SingleStack' when releasing the secondary ipFamily");
    }
  }
}
