package dev.evenkeel.serve.kinds.rules.workload;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import tools.jackson.databind.node.ObjectNode;

/** Revisions of templates. */
public final class ControllerRevisionRules implements KindRules {

  @Override
  public void validateCreate(ObjectNode revision, Problems problems) {
    Place data = Place.of(revision, problems).at("data");
    if (!data.isThere()) {
      data.required("data is mandatory");
    } else if (!data.node().isObject()) {
      data.required("data must be a valid JSON object");
    }
  }

  @Override
  public void validateUpdate(ObjectNode revision, ObjectNode old, Problems problems) {
    Place.of(revision, problems).at("data").immutable(old.path("data"));
  }
}
