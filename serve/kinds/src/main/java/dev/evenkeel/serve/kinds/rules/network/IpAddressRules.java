package dev.evenkeel.serve.kinds.rules.network;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import tools.jackson.databind.node.ObjectNode;

/** Addresses that somebody has: the name is the address, the parent is who has it. */
public final class IpAddressRules implements KindRules {

  @Override
  public NameRule nameRule() {
    return NameRule.PATH_SEGMENT;
  }

  @Override
  public void validate(ObjectNode address, Problems problems) {
    Place whole = Place.of(address, problems);
    if (!whole.at("metadata", "name").isEmpty()) {
      Addresses.canonicalIp(whole.at("metadata", "name"));
    }
    Place parent = whole.at("spec", "parentRef");
    if (!parent.isThere()) {
      parent.required();
      return;
    }
    if (!parent.at("group").isEmpty()) {
      parent.at("group").invalid(Names.dnsSubdomain(parent.at("group").text()));
    }
    for (String field : new String[] {"resource", "name"}) {
      if (parent.at(field).isEmpty()) {
        parent.at(field).required();
      } else {
        parent.at(field).invalid(Names.pathSegment(parent.at(field).text()));
      }
    }
    if (!parent.at("namespace").isEmpty()) {
      parent.at("namespace").invalid(Names.pathSegment(parent.at("namespace").text()));
    }
  }

  @Override
  public void validateUpdate(ObjectNode address, ObjectNode old, Problems problems) {
    Place.of(address, problems)
        .at("spec", "parentRef")
        .immutable(old.path("spec").path("parentRef"));
  }
}
