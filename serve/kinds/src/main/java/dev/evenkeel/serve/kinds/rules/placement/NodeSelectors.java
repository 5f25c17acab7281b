package dev.evenkeel.serve.kinds.rules.placement;

import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;

/** Selectors of nodes, by labels and by name. */
public final class NodeSelectors {

  private NodeSelectors() {}

  /** At least one term, of which one must hold. */
  public static void validate(Place selector) {
    Place terms = selector.at("nodeSelectorTerms");
    if (terms.isEmpty()) {
      terms.required("must have at least one node selector term");
    }
    for (Place term : terms.items()) {
      term(term, true);
    }
  }

  /** A term; wishes may name values that no label can have. */
  static void term(Place term, boolean checkValues) {
    for (Place requirement : term.at("matchExpressions").items()) {
      byLabel(requirement, checkValues);
    }
    for (Place requirement : term.at("matchFields").items()) {
      byField(requirement);
    }
  }

  private static void byLabel(Place requirement, boolean checkValues) {
    Place values = requirement.at("values");
    switch (requirement.at("operator").text()) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          values.required("must be specified when `operator` is 'In' or 'NotIn'");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
      }
      case "Gt", "Lt" -> {
        if (values.size() != 1) {
          values.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
      }
      default -> requirement.at("operator").invalid("not a valid selector operator");
    }
    Place key = requirement.at("key");
    key.invalid(Names.qualifiedName(key.text()));
    if (checkValues) {
      for (Place value : values.items()) {
        value.invalid(Names.labelValue(value.text()));
      }
    }
  }

  private static void byField(Place requirement) {
    Place values = requirement.at("values");
    switch (requirement.at("operator").text()) {
      case "In", "NotIn" -> {
        if (values.size() != 1) {
          values.required(
              "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
        }
      }
      default -> requirement.at("operator").invalid("not a valid selector operator");
    }
    if (!requirement.at("key").is("metadata.name")) {
      requirement.at("key").invalid("not a valid field selector key");
      return;
    }
    for (Place value : values.items()) {
      value.invalid(Names.dnsSubdomain(value.text()));
    }
  }
}
