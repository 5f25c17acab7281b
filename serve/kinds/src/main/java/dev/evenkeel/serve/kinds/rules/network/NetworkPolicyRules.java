package dev.evenkeel.serve.kinds.rules.network;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Network policies. */
public final class NetworkPolicyRules implements KindRules {

  @Override
  public void applyDefaults(ObjectNode policy) {
    if (!(policy.path("spec") instanceof ObjectNode spec)) {
      return;
    }
    if (spec.path("policyTypes").isEmpty()) {
      ArrayNode types = spec.putArray("policyTypes").add("Ingress");
      if (!spec.path("egress").isEmpty()) {
        types.add("Egress");
      }
    }
  }

  @Override
  public void validate(ObjectNode policy, Problems problems) {
    Place spec = Place.of(policy, problems).at("spec");
    Selectors.validate(spec.at("podSelector"));
    for (Place rule : spec.at("ingress").items()) {
      rule.at("ports").items().forEach(NetworkPolicyRules::port);
      rule.at("from").items().forEach(NetworkPolicyRules::peer);
    }
    for (Place rule : spec.at("egress").items()) {
      rule.at("ports").items().forEach(NetworkPolicyRules::port);
      rule.at("to").items().forEach(NetworkPolicyRules::peer);
    }
    Place types = spec.at("policyTypes");
    if (types.size() > 2) {
      types.invalid("may not specify more than two policyTypes");
    }
  }

  private static void port(Place entry) {
    Place port = entry.at("port");
    Place end = entry.at("endPort");
    if (!end.isThere()) {
      return;
    }
    if (!port.isThere()) {
      end.invalid("may not be specified when `port` is not specified");
    } else if (port.node().isString()) {
      end.invalid("may not be specified when `port` is non-numeric");
    } else if (end.number() < port.number()) {
      end.holding(port.node()).invalid("must be greater than or equal to `port`");
    }
  }

  private static void peer(Place peer) {
    Place block = peer.at("ipBlock");
    boolean selects = peer.at("podSelector").isThere() || peer.at("namespaceSelector").isThere();
    Selectors.validate(peer.at("podSelector"));
    Selectors.validate(peer.at("namespaceSelector"));
    if (block.isThere()) {
      block(block);
      if (selects) {
        peer.forbidden("may not specify both ipBlock and another peer");
      }
    } else if (!selects) {
      peer.required("must specify a peer");
    }
  }

  private static void block(Place block) {
    Place range = block.at("cidr");
    if (range.isEmpty()) {
      return;
    }
    Addresses.cidr(range);
    Addresses.Range whole = Addresses.parseRange(range.text());
    if (whole == null) {
      return;
    }
    for (Place except : block.at("except").items()) {
      Addresses.cidr(except);
      Addresses.Range part = Addresses.parseRange(except.text());
      if (part != null && !whole.strictlyContains(part)) {
        except.invalid("must be a strict subset of `cidr`");
      }
    }
  }
}
