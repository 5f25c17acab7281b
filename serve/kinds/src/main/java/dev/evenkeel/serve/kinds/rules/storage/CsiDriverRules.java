package dev.evenkeel.serve.kinds.rules.storage;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Drivers of storage. */
public final class CsiDriverRules implements KindRules {

  private static final long TOKEN_SECONDS_MIN = 600;
  private static final long TOKEN_SECONDS_MAX = 1L << 32;

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
