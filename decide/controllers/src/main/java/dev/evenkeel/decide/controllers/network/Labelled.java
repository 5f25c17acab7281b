package dev.evenkeel.decide.controllers.network;

import dev.evenkeel.kernel.api.Meta;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The metadata of endpoints: the labels of their service, and a few of their own. */
final class Labelled {

  static final String HEADLESS = "service.kubernetes.io/headless";

  private Labelled() {}

  /** The service's labels, with those that are kept for the endpoints replaced. */
  static Map<String, String> labels(
      Map<String, String> service, boolean headless, Map<String, String> own) {
    Map<String, String> labels = new TreeMap<>(service);
    labels.remove(HEADLESS);
    if (headless) {
      labels.put(HEADLESS, "");
    }
    labels.putAll(own);
    return labels;
  }

  /** Just these labels and no others, as a change of those that are there. */
  static ObjectNode change(Map<String, String> wanted, Set<String> there) {
    ObjectNode labels = JsonNodeFactory.instance.objectNode();
    there.forEach(
        label -> {
          if (!wanted.containsKey(label)) {
            labels.putNull(label);
          }
        });
    wanted.forEach(labels::put);
    return labels;
  }

  /**
   * Has an object's metadata have an annotation, or not.
   *
   * @param change of the object, to which this is added
   * @param before the object as it is
   * @param value null if it should have none
   */
  static void annotate(
      ObjectNode change, JsonNode before, String annotation, @Nullable String value) {
    JsonNode known = before.path("metadata").path("annotations").path(annotation);
    if (value == null ? known.isMissingNode() : value.equals(Meta.text(known))) {
      return;
    }
    Meta.of(change).withObject("annotations").put(annotation, value);
  }
}
