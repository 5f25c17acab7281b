package dev.evenkeel.serve.kinds.rules.network;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Same;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Slices of endpoints. */
public final class EndpointSliceRules implements KindRules {

  /** Labels say what a slice belongs to: readers look at them as at its addresses. */
  @Override
  public boolean generationCountsLabels() {
    return true;
  }

  @Override
  public void validate(ObjectNode slice, Problems problems) {
    ports(Place.of(slice, problems).at("ports"));
  }

  @Override
  public void validateCreate(ObjectNode slice, Problems problems) {
    endpoints(Place.of(slice, problems));
  }

  private static void endpoints(Place whole) {
    Place endpoints = whole.at("endpoints");
    for (Place endpoint : endpoints.items()) {
      addresses(endpoint.at("addresses"), whole.at("addressType").text());
      if (endpoint.at("nodeName").isThere()) {
        endpoint.at("nodeName").invalid(Names.dnsSubdomain(endpoint.at("nodeName").text()));
      }
      if (endpoint.at("hostname").isThere()) {
        endpoint.at("hostname").invalid(Names.dnsLabel(endpoint.at("hostname").text()));
      }
      hints(endpoint.at("hints", "forZones"));
      hints(endpoint.at("hints", "forNodes"));
    }
  }

  private static void ports(Place ports) {
    Set<String> names = new HashSet<>();
    for (Place port : ports.items()) {
      Place name = port.at("name");
      if (!names.add(name.text())) {
        name.duplicate();
      }
      if (port.at("appProtocol").isThere()) {
        port.at("appProtocol").invalid(Names.qualifiedName(port.at("appProtocol").text()));
      }
    }
  }

  private static void addresses(Place addresses, String type) {
    if (addresses.isEmpty()) {
      addresses.required("must contain at least 1 address");
    }
    for (Place address : addresses.items()) {
      if (type.equals("FQDN")) {
        String name = address.text();
        String host = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        address.invalid(Names.qualifiedDomain(host, 2));
        continue;
      }
      Addresses.ip(address);
      if (Addresses.isIp(address.text())) {
        if (Addresses.isV6(address.text()) != type.equals("IPv6")) {
          addresses.holding(address.node()).invalid("must be an " + type + " address");
        }
        Addresses.endpointIp(address);
      }
    }
  }

  private static void hints(Place hints) {
    Set<String> names = new HashSet<>();
    for (Place hint : hints.items()) {
      Place name = hint.at("name");
      if (!names.add(name.text())) {
        name.duplicate();
      }
      name.invalid(Names.labelValue(name.text()));
    }
  }

  @Override
  public void validateUpdate(ObjectNode slice, ObjectNode old, Problems problems) {
    Place whole = Place.of(slice, problems);
    // What was accepted once stays so as long as nobody touches it.
    if (!Same.same(whole.at("endpoints").node(), old.path("endpoints"))) {
      endpoints(whole);
    }
    whole.at("addressType").immutable(old.path("addressType"));
  }
}
