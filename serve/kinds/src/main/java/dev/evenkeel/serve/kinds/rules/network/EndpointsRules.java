package dev.evenkeel.serve.kinds.rules.network;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Endpoints, in the old form. */
public final class EndpointsRules implements KindRules {

  @Override
  public void validate(ObjectNode endpoints, Problems problems) {
    for (Place subset : Place.of(endpoints, problems).at("subsets").items()) {
      if (subset.at("addresses").isEmpty() && subset.at("notReadyAddresses").isEmpty()) {
        subset.required("must specify `addresses` or `notReadyAddresses`");
      }
      for (String list : List.of("addresses", "notReadyAddresses")) {
        subset.at(list).items().forEach(EndpointsRules::address);
      }
      List<Place> ports = subset.at("ports").items();
      for (Place port : ports) {
        if (ports.size() > 1 && port.at("name").isEmpty()) {
          port.at("name").required();
        }
      }
    }
  }

  private static void address(Place address) {
    Addresses.ip(address.at("ip"));
    Addresses.endpointIp(address.at("ip"));
    if (!address.at("hostname").isEmpty()) {
      address.at("hostname").invalid(Names.dnsLabel(address.at("hostname").text()));
    }
    if (address.at("nodeName").isThere()) {
      address.at("nodeName").invalid(Names.dnsSubdomain(address.at("nodeName").text()));
    }
  }

  /** Deprecated since 1.33, and said so with every write. */
  @Override
  public List<String> warnings(ObjectNode endpoints) {
    return List.of("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");
  }
}
