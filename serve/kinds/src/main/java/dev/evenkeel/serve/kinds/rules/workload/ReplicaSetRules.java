package dev.evenkeel.serve.kinds.rules.workload;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import dev.evenkeel.serve.kinds.rules.pod.PodTemplates;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Replica sets. */
public final class ReplicaSetRules implements KindRules {

  @Override
  public void applyDefaults(ObjectNode set) {
    ObjectNode spec = Specs.of(set);
    PodTemplates.applyDefaults(spec.path("template"));
  }

  @Override
  public void prepareForCreate(ObjectNode set) {
    set.putObject("status").put("replicas", 0L);
  }

  @Override
  public void validate(ObjectNode set, Problems problems) {
    Place spec = Place.of(set, problems).at("spec");
    // Upstream says "deployment" here too.
    Specs.validateSelector(spec, "deployment");
    Place template = spec.at("template");
    if (!Selectors.isWellFormed(spec.at("selector").node())) {
      spec.at("selector").invalid("invalid label selector");
      return;
    }
    if (!template.isThere()) {
      template.required();
      return;
    }
    PodTemplates.validateSelected(template, spec.at("selector").node());
    PodTemplates.validate(template);
    PodTemplates.validateForEver(template, "ReplicaSet");
  }

  @Override
  public void validateUpdate(ObjectNode set, ObjectNode old, Problems problems) {
    Place.of(set, problems).at("spec", "selector").immutable(old.path("spec").path("selector"));
  }

  @Override
  public void validateStatusUpdate(ObjectNode set, ObjectNode old, Problems problems) {
    Specs.validateCounts(
        Place.of(set, problems).at("status"),
        List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
        "readyReplicas");
  }

  @Override
  public List<String> warnings(ObjectNode set) {
    return PodTemplates.warnings(Place.of(set, new Problems()).at("spec", "template"));
  }
}
