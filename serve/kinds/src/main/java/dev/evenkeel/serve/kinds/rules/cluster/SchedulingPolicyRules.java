package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** How pods in a scope are placed. */
public final class SchedulingPolicyRules implements KindRules {

  private static final int WEIGHT_MAX = 100;

  /** What scores nodes, by the names that kube-scheduler's users know. */
  private static final List<String> SCORING =
      List.of(
          "ImageLocality",
          "InterPodAffinity",
          "NodeAffinity",
          "NodeResourcesBalancedAllocation",
          "NodeResourcesFit",
          "PodTopologySpread",
          "TaintToleration");

  @Override
  public void validate(ObjectNode policy, Problems problems) {
    Place spec = Place.of(policy, problems).at("spec");
    Place version = spec.at("policyVersion");
    Names.labelValue(version.text()).forEach(version::invalid);
    for (Place weight : spec.at("weights").entries()) {
      if (!SCORING.contains(weight.entryKey())) {
        weight.holding(StringNode.valueOf(weight.entryKey())).notSupported(SCORING);
      }
      weight.inRange(0, WEIGHT_MAX);
    }
    Place scope = spec.at("scope");
    Selectors.validate(scope.at("podSelector"));
    for (Place namespace : scope.at("namespaces").items()) {
      Names.dnsLabel(namespace.text()).forEach(namespace::invalid);
    }
  }
}
