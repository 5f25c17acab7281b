package dev.evenkeel.serve.kinds.rules.network;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Slices of endpoints. */
public final class EndpointSliceRules implements KindRules {

  private static final int ENDPOINTS_MAX = 1000;
  private static final int ADDRESSES_MAX = 100;
  private static final int PORTS_MAX = 20_000;
  private static final int HINTS_MAX = 8;

  @Override
  public void applyDefaults(ObjectNode slice) {
    for (JsonNode port : slice.path("ports")) {
      if (port instanceof ObjectNode object) {
        if (!object.path("name").isString()) {
          object.put("name", "");
        }
        if (!object.path("protocol").isString()) {
          object.put("protocol", "TCP");
        }
      }
    }
  }

  @Override
  public void validate(ObjectNode slice, Problems problems) {
    Place whole = Place.of(slice, problems);
    ports(whole.at("ports"));
    Place endpoints = whole.at("endpoints");
    if (endpoints.size() > ENDPOINTS_MAX) {
      endpoints.tooMany(ENDPOINTS_MAX);
    }
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
    if (ports.size() > PORTS_MAX) {
      ports.tooMany(PORTS_MAX);
    }
    Set<String> names = new HashSet<>();
    for (Place port : ports.items()) {
      Place name = port.at("name");
      if (!name.isEmpty()) {
        name.invalid(Names.dnsLabel(name.text()));
      }
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
    } else if (addresses.size() > ADDRESSES_MAX) {
      addresses.tooMany(ADDRESSES_MAX);
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
    if (hints.size() > HINTS_MAX) {
      hints.tooMany(HINTS_MAX);
    }
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
    Place.of(slice, problems).at("addressType").immutable(old.path("addressType"));
  }
}
