package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Classes of priority. */
public final class PriorityClassRules implements KindRules {

  private static final String SYSTEM = "system-";
  private static final long USER_VALUE_MAX = 1_000_000_000;

  private static final Map<String, Long> SYSTEM_CLASSES =
      Map.of("system-cluster-critical", 2_000_000_000L, "system-node-critical", 2_000_001_000L);

  @Override
  public void validate(ObjectNode priorityClass, Problems problems) {
    Place whole = Place.of(priorityClass, problems);
    Place name = whole.at("metadata", "name");
    if (name.text().startsWith(SYSTEM)) {
      system(whole, name);
    } else if (whole.at("value").number() > USER_VALUE_MAX) {
      whole
          .at("value")
          .forbidden("maximum allowed value of a user defined priority is " + USER_VALUE_MAX);
    }
  }

  private static void system(Place whole, Place name) {
    Long value = SYSTEM_CLASSES.get(name.text());
    String fault = null;
    if (value == null) {
      fault = name.text() + " is not a known system priority class";
    } else if (value != whole.at("value").number()) {
      fault = "value of " + name.text() + " PriorityClass must be " + value;
    } else if (whole.at("globalDefault").flag()) {
      fault = "globalDefault of " + name.text() + " PriorityClass must be false";
    }
    if (fault != null) {
      name.forbidden(
          "priority class names with 'system-' prefix are reserved for system use only. error: "
              + fault);
    }
  }

  @Override
  public void validateUpdate(ObjectNode priorityClass, ObjectNode old, Problems problems) {
    Place whole = Place.of(priorityClass, problems);
    if (whole.at("value").number() != old.path("value").asLong(0)) {
      whole.at("value").forbidden("may not be changed in an update.");
    }
    whole.at("preemptionPolicy").immutable(old.path("preemptionPolicy"));
  }
}
