package dev.evenkeel.serve.kinds.rules.storage;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Drivers of storage. */
public final class CsiDriverRules implements KindRules {

  private static final String UPDATE_PERIOD = "nodeAllocatableUpdatePeriodSeconds";
  private static final long TOKEN_SECONDS_MIN = 600;
  private static final long TOKEN_SECONDS_MAX = 1L << 32;

  /** Fields of features that are off by default are dropped, as upstream drops them. */
  @Override
  public void prepareForCreate(ObjectNode driver) {
    if (driver.path("spec") instanceof ObjectNode spec) {
      spec.remove(UPDATE_PERIOD);
    }
  }

  @Override
  public void prepareForUpdate(ObjectNode driver, ObjectNode old) {
    if (!old.path("spec").has(UPDATE_PERIOD)) {
      prepareForCreate(driver);
    }
  }

  @Override
  public void validate(ObjectNode driver, Problems problems) {
    Place spec = Place.of(driver, problems).at("spec");
    Set<String> audiences = new HashSet<>();
    for (Place request : spec.at("tokenRequests").items()) {
      if (!audiences.add(request.at("audience").text())) {
        request.at("audience").duplicate();
        continue;
      }
      Place seconds = request.at("expirationSeconds");
      if (seconds.number(TOKEN_SECONDS_MIN) < TOKEN_SECONDS_MIN) {
        seconds.invalid("may not specify a duration less than 10 minutes");
      }
      if (seconds.number() > TOKEN_SECONDS_MAX) {
        seconds.invalid("may not specify a duration larger than 2^32 seconds");
      }
    }
  }

  @Override
  public void validateUpdate(ObjectNode driver, ObjectNode old, Problems problems) {
    Place spec = Place.of(driver, problems).at("spec");
    spec.at("attachedRequired")
        .holding(spec.at("attachRequired").node())
        .immutable(old.path("spec").path("attachRequired"));
    spec.at("volumeLifecycleModes").immutable(old.path("spec").path("volumeLifecycleModes"));
  }
}
