package dev.evenkeel.decide.controllers.network;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sorts the addresses of a service's pods into subsets: ports that the same pods have share one,
 * and everything is in a fixed order, so that the same pods are the same subsets.
 */
final class Subsets {

  private static final Comparator<Address> ORDER =
      Comparator.comparing(Address::ip).thenComparing(Address::uid);

  /** An address of a pod. */
  private record Address(String ip, String uid, boolean ready, ObjectNode json) {}

  private final Cached<ObjectNode> seen;
  private final ObjectNode service;
  private final JsonNode spec;
  private final boolean publishAll;
  private final Map<String, ObjectNode> ports = new TreeMap<>();
  private final Map<String, List<Address>> addressesByPort = new TreeMap<>();

  private Subsets(Cached<ObjectNode> seen, ObjectNode service) {
    this.seen = seen;
    this.service = service;
    this.spec = service.path("spec");
    this.publishAll = spec.path("publishNotReadyAddresses").asBoolean(false);
  }

  static List<Subset> of(Cached<ObjectNode> seen, ObjectNode service, List<ServicePod> pods) {
    var subsets = new Subsets(seen, service);
    for (ServicePod pod : pods) {
      if (pod.isReachable() && (subsets.publishAll || !pod.isEnding())) {
        subsets.add(pod);
      }
    }
    return subsets.packed();
  }

  private void add(ServicePod pod) {
    String ip = ip(pod);
    if (ip.isEmpty()) {
      return;
    }
    var address = new Address(ip, pod.seen().uid(), publishAll || pod.isReady(), json(ip, pod));
    if (!spec.path("ports").isEmpty()) {
      ServicePorts.on(pod, service).forEach(port -> add(address, port));
    } else if (ServicePorts.isHeadless(service)) {
      addressesByPort.computeIfAbsent("", _ -> new ArrayList<>()).add(address);
    }
  }

  private void add(Address address, ObjectNode port) {
    if (Meta.text(port.path("name")).isEmpty()) {
      port.remove("name");
    }
    String key = port.toString();
    ports.put(key, port);
    List<Address> known = addressesByPort.computeIfAbsent(key, _ -> new ArrayList<>());
    if (!known.contains(address)) {
      known.add(address);
    }
  }

  /** The first that is of the service's first family; empty if there is none. */
  private String ip(ServicePod pod) {
    String wanted = Meta.text(spec.path("ipFamilies").path(0));
    String cluster = Meta.text(spec.path("clusterIP"));
    if (wanted.isEmpty() && !cluster.isEmpty() && !ServicePorts.isHeadless(service)) {
      wanted = Family.of(cluster).word();
    }
    for (String address : pod.addresses()) {
      if (wanted.isEmpty() || Family.of(address).word().equals(wanted)) {
        return address;
      }
    }
    return "";
  }

  private ObjectNode json(String ip, ServicePod pod) {
    ObjectNode address = JsonNodeFactory.instance.objectNode();
    address.put("ip", ip);
    if (!pod.hostname(seen).isEmpty()) {
      address.put("hostname", pod.hostname(seen));
    }
    if (!pod.node().isEmpty()) {
      address.put("nodeName", pod.node());
    }
    address.set("targetRef", pod.reference());
    return address;
  }

  private List<Subset> packed() {
    Map<List<Address>, List<ObjectNode>> portsByAddresses = new LinkedHashMap<>();
    addressesByPort.forEach(
        (key, addresses) -> {
          addresses.sort(ORDER);
          List<ObjectNode> shared =
              portsByAddresses.computeIfAbsent(addresses, _ -> new ArrayList<>(1));
          ObjectNode port = ports.get(key);
          if (port != null) {
            shared.add(port);
          }
        });
    List<Subset> subsets = new ArrayList<>();
    portsByAddresses.forEach(
        (addresses, shared) ->
            subsets.add(new Subset(shared, with(addresses, true), with(addresses, false))));
    return subsets;
  }

  private static List<ObjectNode> with(List<Address> addresses, boolean ready) {
    return addresses.stream().filter(it -> it.ready == ready).map(Address::json).toList();
  }
}
