package dev.evenkeel.serve.kinds.rules.device;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import tools.jackson.databind.node.ObjectNode;

/** Templates that pods' claims are made from; they stay as they are. */
public final class ResourceClaimTemplateRules implements KindRules {

  @Override
  public void applyDefaults(ObjectNode object) {
    DeviceClaims.applyDefaults(object.path("spec").path("spec"));
  }

  @Override
  public void prepareForCreate(ObjectNode object) {
    DeviceClaims.dropDisabled(object.path("spec").path("spec"));
  }

  @Override
  public void prepareForUpdate(ObjectNode object, ObjectNode old) {
    prepareForCreate(object);
  }

  @Override
  public void validate(ObjectNode object, Problems problems) {
    DeviceClaims.validate(Place.of(object, problems).at("spec", "spec"));
  }

  @Override
  public void validateUpdate(ObjectNode object, ObjectNode old, Problems problems) {
    Place.of(object, problems).at("spec").immutable(old.path("spec"));
  }
}
