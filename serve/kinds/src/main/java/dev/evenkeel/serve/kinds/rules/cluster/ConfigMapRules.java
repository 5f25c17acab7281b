package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Config maps. */
public final class ConfigMapRules implements KindRules {

  @Override
  public void validate(ObjectNode map, Problems problems) {
    Place whole = Place.of(map, problems);
    Place texts = whole.at("data");
    Place binary = whole.at("binaryData");
    for (String key : texts.node().propertyNames()) {
      if (binary.node().has(key)) {
        texts.key(key).invalid(key, "duplicate of key present in binaryData");
      }
    }
    if (DataEntries.areTooLong(texts.node(), binary.node())) {
      // The object as a whole, as upstream writes it.
      problems.tooLong("[]", DataEntries.BYTES_MAX);
    }
  }

  @Override
  public void validateUpdate(ObjectNode map, ObjectNode old, Problems problems) {
    DataEntries.validateImmutable(Place.of(map, problems), old, List.of("data", "binaryData"));
  }
}
