package dev.evenkeel.serve.kinds.rules.device;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import tools.jackson.databind.node.ObjectNode;

/** Classes of devices. */
public final class DeviceClassRules implements KindRules {

  @Override
  public void prepareForCreate(ObjectNode object) {
    DeviceClaims.drop(object.path("spec"), "extendedResourceName");
  }

  @Override
  public void prepareForUpdate(ObjectNode object, ObjectNode old) {
    if (!old.path("spec").has("extendedResourceName")) {
      prepareForCreate(object);
    }
  }

  @Override
  public void validate(ObjectNode object, Problems problems) {
    Place spec = Place.of(object, problems).at("spec");
    DeviceClaims.selectors(spec.at("selectors"));
    DeviceNames.list(spec.at("config"), DeviceClaims.CONFIGS_MAX, DeviceClaims::configuration);
  }
}
