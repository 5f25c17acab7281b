package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import tools.jackson.databind.node.ObjectNode;

/** Leases. */
public final class LeaseRules implements KindRules {

  @Override
  public void validate(ObjectNode lease, Problems problems) {
    Place spec = Place.of(lease, problems).at("spec");
    Place duration = spec.at("leaseDurationSeconds");
    if (duration.isThere() && duration.number() <= 0) {
      duration.invalid("must be greater than 0");
    }
    if (!spec.at("preferredHolder").isEmpty() && spec.at("strategy").isEmpty()) {
      spec.at("preferredHolder").forbidden("may only be specified if `strategy` is defined");
    }
  }
}
