package dev.evenkeel.serve.kinds.catalog;

import dev.evenkeel.serve.kinds.Conversion;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Between {@code events.k8s.io/v1} and the older {@code v1}: the same under other names. */
final class EventConversion implements Conversion {

  private static final Map<String, String> STORED_NAMES =
      Map.of(
          "regarding", "involvedObject",
          "note", "message",
          "reportingController", "reportingComponent",
          "deprecatedSource", "source",
          "deprecatedFirstTimestamp", "firstTimestamp",
          "deprecatedLastTimestamp", "lastTimestamp",
          "deprecatedCount", "count");

  private static final Map<String, String> SERVED_NAMES = inverse();

  @Override
  public ObjectNode toStored(ObjectNode served) {
    return renamed(served, STORED_NAMES).put("apiVersion", "v1");
  }

  @Override
  public ObjectNode toServed(ObjectNode stored) {
    return renamed(stored, SERVED_NAMES).put("apiVersion", "events.k8s.io/v1");
  }

  private static ObjectNode renamed(ObjectNode object, Map<String, String> names) {
    Map<String, JsonNode> renamed = new LinkedHashMap<>();
    object.forEachEntry((name, value) -> renamed.put(names.getOrDefault(name, name), value));
    object.removeAll();
    object.setAll(renamed);
    return object;
  }

  private static Map<String, String> inverse() {
    Map<String, String> inverse = new LinkedHashMap<>();
    STORED_NAMES.forEach((served, stored) -> inverse.put(stored, served));
    return inverse;
  }
}
