package dev.evenkeel.serve.kinds.rules.extension;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** What puts admission policies into force. */
public final class AdmissionPolicyBindingRules implements KindRules {

  @Override
  public void validate(ObjectNode binding, Problems problems) {
    Place spec = Place.of(binding, problems).at("spec");
    Place policy = spec.at("policyName");
    if (!policy.isEmpty()) {
      policy.invalid(Names.dnsSubdomain(policy.text()));
    }
    parameters(spec.at("paramRef"));
    if (spec.at("matchResources").isThere()) {
      AdmissionPolicyRules.matching(spec.at("matchResources"));
    }
    Place actions = spec.at("validationActions");
    Set<String> seen = new HashSet<>();
    for (Place action : actions.items()) {
      if (!seen.add(action.text())) {
        action.duplicate();
      }
    }
    if (seen.contains("Deny") && seen.contains("Warn")) {
      actions.invalid(
          "must not contain both Deny and Warn (repeating the same validation failure information"
              + " in the API response and headers serves no purpose)");
    }
  }

  private static void parameters(Place reference) {
    if (!reference.isThere()) {
      return;
    }
    Place name = reference.at("name");
    Place selector = reference.at("selector");
    if (!name.isEmpty()) {
      name.invalid(Names.pathSegment(name.text()));
    }
    if (selector.isThere()) {
      Selectors.validate(selector);
    }
    if (!name.isEmpty() && selector.isThere()) {
      name.forbidden("name and selector are mutually exclusive");
      selector.forbidden("name and selector are mutually exclusive");
    }
    if (name.isEmpty() && !selector.isThere()) {
      reference.required("one of name or selector must be specified");
    }
  }
}
