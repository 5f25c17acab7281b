package dev.evenkeel.serve.kinds.rules.workload;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.pod.PodTemplates;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Replication controllers: the oldest workload, whose selector is a plain map of labels. */
public final class ReplicationControllerRules implements KindRules {

  @Override
  public void applyDefaults(ObjectNode controller) {
    ObjectNode spec = Specs.of(controller);
    JsonNode labels = Meta.at(spec, "template", "metadata", "labels");
    if (!labels.isEmpty()) {
      if (spec.path("selector").isEmpty()) {
        spec.set("selector", labels.deepCopy());
      }
      ObjectNode metadata = Meta.of(controller);
      if (metadata.path("labels").isEmpty()) {
        metadata.set("labels", labels.deepCopy());
      }
    }
    PodTemplates.applyDefaults(spec.path("template"));
  }

  @Override
  public void prepareForCreate(ObjectNode controller) {
    controller.putObject("status").put("replicas", 0L);
  }

  @Override
  public void validate(ObjectNode controller, Problems problems) {
    Place spec = Place.of(controller, problems).at("spec");
    Place selector = spec.at("selector");
    Place template = spec.at("template");
    if (!template.isThere()) {
      template.required();
      return;
    }
    Place labels = template.at("metadata", "labels");
    if (!labels.stringMap().entrySet().containsAll(selector.stringMap().entrySet())) {
      labels.invalid("`selector` does not match template `labels`");
    }
    PodTemplates.validate(template);
    PodTemplates.validateForEver(template, "ReplicationController");
  }

  @Override
  public void validateStatusUpdate(ObjectNode controller, ObjectNode old, Problems problems) {
    Specs.validateCounts(
        Place.of(controller, problems).at("status"),
        List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
        "readyReplicas");
  }

  @Override
  public List<String> warnings(ObjectNode controller) {
    return PodTemplates.warnings(Place.of(controller, new Problems()).at("spec", "template"));
  }
}
