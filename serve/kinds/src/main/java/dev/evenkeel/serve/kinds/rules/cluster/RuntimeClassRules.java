package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import dev.evenkeel.serve.kinds.rules.container.ResourceValidation;
import dev.evenkeel.serve.kinds.rules.placement.TolerationValidation;
import tools.jackson.databind.node.ObjectNode;

/** Classes of runtimes. */
public final class RuntimeClassRules implements KindRules {

  @Override
  public void validate(ObjectNode runtimeClass, Problems problems) {
    Place whole = Place.of(runtimeClass, problems);
    Place handler = whole.at("handler");
    Names.dnsLabel(handler.text()).forEach(fault -> handler.invalid(handler.text(), fault));
    ResourceValidation.overhead(whole.at("overhead", "podFixed"));
    Selectors.labels(whole.at("scheduling", "nodeSelector"));
    TolerationValidation.validate(whole.at("scheduling", "tolerations"));
  }

  @Override
  public void validateUpdate(ObjectNode runtimeClass, ObjectNode old, Problems problems) {
    Place.of(runtimeClass, problems).at("handler").immutable(old.path("handler"));
  }
}
