package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The binding of a pod to a node. */
public final class BindingRules implements KindRules {

  @Override
  public void validate(ObjectNode binding, Problems problems) {
    Place target = Place.of(binding, problems).at("target");
    if (!target.at("kind").isEmpty() && !target.at("kind").is("Node")) {
      target.at("kind").notSupported(List.of("Node", "<empty>"));
    }
    if (target.at("name").isEmpty()) {
      target.at("name").required();
    }
  }
}
