package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Resources;
import dev.evenkeel.serve.kinds.rules.check.Same;
import dev.evenkeel.serve.kinds.rules.placement.TolerationValidation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Nodes. */
public final class NodeRules implements KindRules {

  @Override
  public void applyDefaults(ObjectNode node) {
    if (node.path("status") instanceof ObjectNode status
        && status.path("capacity").isObject()
        && !status.path("allocatable").isObject()) {
      status.set("allocatable", status.get("capacity").deepCopy());
    }
    if (node.path("spec") instanceof ObjectNode spec) {
      agreeOnRange(spec);
    }
  }

  /** Two fields for one thing: the range of the pods' addresses. */
  private static void agreeOnRange(ObjectNode spec) {
    String single = Meta.text(spec.path("podCIDR"));
    if (!single.isEmpty() && !single.equals(Meta.text(spec.path("podCIDRs").path(0)))) {
      spec.putArray("podCIDRs").add(single);
    } else if (single.isEmpty() && !spec.path("podCIDRs").isEmpty()) {
      spec.put("podCIDR", Meta.text(spec.path("podCIDRs").path(0)));
    }
  }

  @Override
  public void validate(ObjectNode node, Problems problems) {
    Place whole = Place.of(node, problems);
    TolerationValidation.taints(whole.at("spec", "taints"));
    amounts(whole.at("status"));
    Place ranges = whole.at("spec", "podCIDRs");
    ranges.items().forEach(Addresses::cidr);
    if (ranges.size() > 2) {
      ranges.invalid("may specify no more than one CIDR for each IP family");
    }
  }

  private static void amounts(Place status) {
    for (String list : List.of("capacity", "allocatable")) {
      for (Place entry : status.at(list).entries()) {
        Resources.amount(entry);
      }
    }
  }

  @Override
  public void validateUpdate(ObjectNode node, ObjectNode old, Problems problems) {
    Place spec = Place.of(node, problems).at("spec");
    JsonNode before = old.path("spec");
    if (!before.path("podCIDRs").isEmpty()
        && !Same.same(spec.at("podCIDRs").node(), before.path("podCIDRs"))) {
      spec.at("podCIDRs")
          .forbidden("node updates may not change podCIDR except from \"\" to valid");
    }
    String provider = Meta.text(before.path("providerID"));
    if (!provider.isEmpty() && !spec.at("providerID").is(provider)) {
      spec.at("providerID")
          .forbidden("node updates may not change providerID except from \"\" to valid");
    }
  }

  @Override
  public void validateStatusUpdate(ObjectNode node, ObjectNode old, Problems problems) {
    Place status = Place.of(node, problems).at("status");
    amounts(status);
    Set<JsonNode> seen = new HashSet<>();
    for (Place address : status.at("addresses").items()) {
      if (!seen.add(address.node())) {
        address.duplicate();
      }
    }
  }
}
