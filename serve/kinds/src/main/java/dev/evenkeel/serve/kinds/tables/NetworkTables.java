package dev.evenkeel.serve.kinds.tables;

import static dev.evenkeel.serve.kinds.tables.Cells.NONE;
import static dev.evenkeel.serve.kinds.tables.Cells.UNSET;
import static dev.evenkeel.serve.kinds.tables.Cells.at;
import static dev.evenkeel.serve.kinds.tables.Cells.number;
import static dev.evenkeel.serve.kinds.tables.Cells.orElse;
import static dev.evenkeel.serve.kinds.tables.Cells.text;
import static dev.evenkeel.serve.kinds.tables.TableColumn.age;
import static dev.evenkeel.serve.kinds.tables.TableColumn.computed;
import static dev.evenkeel.serve.kinds.tables.TableColumn.name;
import static dev.evenkeel.serve.kinds.tables.TableColumn.text;

import dev.evenkeel.serve.kinds.TablePrinter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Services, what is behind them and what leads to them. */
final class NetworkTables {

  /** How many hosts, ports or addresses a cell names before it only counts. */
  private static final int NAMED_MAX = 3;

  private NetworkTables() {}

  static TablePrinter services() {
    return ColumnsPrinter.of(
        name(),
        text("Type", "spec.type", "How it can be reached"),
        computed("Cluster-IP", "Address in the cluster", NetworkTables::clusterIp),
        computed("External-IP", "Addresses from outside", NetworkTables::externalIp),
        computed("Port(s)", "Ports it answers on", NetworkTables::servicePorts),
        age(),
        computed("Selector", "Which pods are behind it", o -> Cells.labels(at(o, "spec.selector")))
            .wide());
  }

  static TablePrinter endpoints() {
    return ColumnsPrinter.of(
        name(),
        computed("Endpoints", "Addresses behind the service", NetworkTables::endpointAddresses),
        age());
  }

  static TablePrinter endpointSlices() {
    return ColumnsPrinter.of(
        name(),
        text("AddressType", "addressType", "Kind of its addresses"),
        computed("Ports", "Ports of every endpoint", o -> slicePorts(o.path("ports"))),
        computed("Endpoints", "Addresses in the slice", o -> sliceAddresses(o.path("endpoints"))),
        age());
  }

  static TablePrinter ingresses() {
    return ColumnsPrinter.of(
        name(),
        text("Class", "spec.ingressClassName", NONE, "Class of controllers that serve it"),
        computed("Hosts", "Hosts it answers for", NetworkTables::hosts),
        computed("Address", "Where it can be reached", NetworkTables::loadBalancer),
        computed("Ports", "Ports it opens", o -> at(o, "spec.tls").isEmpty() ? "80" : "80, 443"),
        age());
  }

  static TablePrinter ingressClasses() {
    return ColumnsPrinter.of(
        name(),
        text("Controller", "spec.controller", "Who serves ingresses of the class"),
        computed("Parameters", "Object with further settings", NetworkTables::parameters),
        age());
  }

  static TablePrinter networkPolicies() {
    return ColumnsPrinter.of(
        name(),
        computed(
            "Pod-Selector",
            "Which pods it is about",
            o -> orElse(Cells.selector(at(o, "spec.podSelector")), NONE)),
        age());
  }

  static TablePrinter ipAddresses() {
    return ColumnsPrinter.of(
        name(), computed("ParentRef", "Who has the address", NetworkTables::parent));
  }

  static TablePrinter serviceCidrs() {
    return ColumnsPrinter.of(
        name(),
        computed(
            "CIDRs",
            "Ranges of addresses",
            o -> String.join(",", Cells.strings(at(o, "spec.cidrs")))),
        age());
  }

  private static String parent(ObjectNode address) {
    JsonNode parent = at(address, "spec.parentRef");
    if (!parent.isObject()) {
      return NONE;
    }
    String group = text(parent, "group");
    String namespace = text(parent, "namespace");
    return text(parent, "resource").toLowerCase(Locale.ROOT)
        + (group.isEmpty() ? "" : "." + group)
        + (namespace.isEmpty() ? "" : "/" + namespace)
        + "/"
        + text(parent, "name");
  }

  private static String clusterIp(ObjectNode service) {
    JsonNode first = at(service, "spec.clusterIPs").path(0);
    return first.isString() ? first.stringValue() : orElse(text(service, "spec.clusterIP"), NONE);
  }

  private static String externalIp(ObjectNode service) {
    List<String> external = Cells.strings(at(service, "spec.externalIPs"));
    return switch (text(service, "spec.type")) {
      case "ClusterIP", "NodePort" -> orElse(String.join(",", external), NONE);
      case "LoadBalancer" -> {
        List<String> all = new ArrayList<>(loadBalancerAddresses(service));
        all.addAll(external);
        yield orElse(String.join(",", all), "<pending>");
      }
      case "ExternalName" -> text(service, "spec.externalName");
      default -> Cells.UNKNOWN;
    };
  }

  private static SortedSet<String> loadBalancerAddresses(ObjectNode object) {
    SortedSet<String> addresses = new TreeSet<>();
    for (JsonNode ingress : at(object, "status.loadBalancer.ingress")) {
      String address = orElse(text(ingress, "ip"), text(ingress, "hostname"));
      if (!address.isEmpty()) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  private static String loadBalancer(ObjectNode ingress) {
    return String.join(",", loadBalancerAddresses(ingress));
  }

  private static String servicePorts(ObjectNode service) {
    List<String> ports = new ArrayList<>();
    for (JsonNode port : at(service, "spec.ports")) {
      long nodePort = number(port, "nodePort");
      ports.add(
          number(port, "port")
              + (nodePort > 0 ? ":" + nodePort : "")
              + "/"
              + text(port, "protocol"));
    }
    return orElse(String.join(",", ports), NONE);
  }

  private static String endpointAddresses(ObjectNode endpoints) {
    JsonNode subsets = endpoints.path("subsets");
    if (subsets.isEmpty()) {
      return NONE;
    }
    List<String> all = new ArrayList<>();
    for (JsonNode subset : subsets) {
      List<String> addresses = Cells.each(subset.path("addresses"), "ip");
      if (subset.path("ports").isEmpty()) {
        all.addAll(addresses);
      }
      for (JsonNode port : subset.path("ports")) {
        for (String address : addresses) {
          all.add(hostAndPort(address, number(port, "port")));
        }
      }
    }
    return Cells.shortened(all, NAMED_MAX, ",");
  }

  private static String hostAndPort(String address, long port) {
    return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + port;
  }

  private static String slicePorts(JsonNode ports) {
    List<String> all = new ArrayList<>();
    for (JsonNode port : ports) {
      JsonNode number = port.path("port");
      JsonNode name = port.path("name");
      all.add(number.isNumber() ? number.asString() : name.isString() ? name.stringValue() : "*");
    }
    return orElse(Cells.shortened(all, NAMED_MAX, ","), UNSET);
  }

  private static String sliceAddresses(JsonNode endpoints) {
    List<String> all = new ArrayList<>();
    for (JsonNode endpoint : endpoints) {
      all.addAll(Cells.strings(endpoint.path("addresses")));
    }
    return orElse(Cells.shortened(all, NAMED_MAX, ","), UNSET);
  }

  /** Counts rules, not hosts, beyond the third: so does upstream. */
  private static String hosts(ObjectNode ingress) {
    JsonNode rules = at(ingress, "spec.rules");
    List<String> hosts = new ArrayList<>();
    boolean more = false;
    for (JsonNode rule : rules) {
      more = more || hosts.size() == NAMED_MAX;
      String host = text(rule, "host");
      if (!more && !host.isEmpty()) {
        hosts.add(host);
      }
    }
    String named = orElse(String.join(",", hosts), "*");
    return more ? named + " + " + (rules.size() - NAMED_MAX) + " more..." : named;
  }

  private static String parameters(ObjectNode ingressClass) {
    JsonNode parameters = at(ingressClass, "spec.parameters");
    if (!parameters.isObject()) {
      return NONE;
    }
    String group = text(parameters, "apiGroup");
    return text(parameters, "kind")
        + (group.isEmpty() ? "" : "." + group)
        + "/"
        + text(parameters, "name");
  }
}
