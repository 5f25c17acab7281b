package dev.evenkeel.serve.kinds.rules.storage;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Same;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The drivers on a node. */
public final class CsiNodeRules implements KindRules {

  private static final int NODE_ID_LENGTH_MAX = 256;

  @Override
  public void validate(ObjectNode node, Problems problems) {
    Set<String> names = new HashSet<>();
    for (Place driver : Place.of(node, problems).at("spec", "drivers").items()) {
      Place name = driver.at("name");
      if (!name.isEmpty()) {
        name.invalid(Names.csiDriver(name.text()));
        if (!names.add(name.text())) {
          name.duplicate();
        }
      }
      Place id = driver.at("nodeID");
      if (id.text().length() > NODE_ID_LENGTH_MAX) {
        id.invalid("must be " + NODE_ID_LENGTH_MAX + " characters or less");
      }
      Set<String> keys = new HashSet<>();
      for (Place key : driver.at("topologyKeys").items()) {
        if (!keys.add(key.text())) {
          driver.holding(key.node()).duplicate();
        }
        driver.holding(key.node()).invalid(Names.qualifiedName(key.text()));
      }
    }
  }

  @Override
  public void validateUpdate(ObjectNode node, ObjectNode old, Problems problems) {
    Place drivers = Place.of(node, problems).at("spec", "drivers");
    for (JsonNode before : Meta.at(old, "spec", "drivers")) {
      for (Place driver : drivers.items()) {
        boolean sameName = driver.at("name").is(Meta.text(before.path("name")));
        if (sameName && !Same.same(driver.node(), before)) {
          drivers.holding(driver.node()).invalid("field is immutable");
        }
      }
    }
  }
}
