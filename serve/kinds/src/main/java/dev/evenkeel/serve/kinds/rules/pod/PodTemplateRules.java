package dev.evenkeel.serve.kinds.rules.pod;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Templates that are objects of their own. */
public final class PodTemplateRules implements KindRules {

  @Override
  public void applyDefaults(ObjectNode object) {
    PodTemplates.applyDefaults(object.path("template"));
  }

  @Override
  public void validate(ObjectNode object, Problems problems) {
    PodTemplates.validate(Place.of(object, problems).at("template"));
  }

  @Override
  public List<String> warnings(ObjectNode object) {
    return PodTemplates.warnings(Place.of(object, new Problems()).at("template"));
  }
}
