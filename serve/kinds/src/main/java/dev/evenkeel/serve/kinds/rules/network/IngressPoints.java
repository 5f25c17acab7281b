package dev.evenkeel.serve.kinds.rules.network;

import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;

/** Where a load balancer can be reached: in the status of services and ingresses. */
final class IngressPoints {

  private IngressPoints() {}

  static void validate(Place points) {
    for (Place point : points.items()) {
      if (!point.at("ip").isEmpty()) {
        Addresses.ip(point.at("ip"));
      } else if (point.at("ipMode").isThere()) {
        point.at("ipMode").forbidden("may not be specified when `ip` is not set");
      }
      Place host = point.at("hostname");
      if (!host.isEmpty()) {
        host.invalid(Names.dnsSubdomain(host.text()));
        if (Addresses.isIp(host.text())) {
          host.invalid("must be a DNS name, not an IP address");
        }
      }
    }
  }
}
