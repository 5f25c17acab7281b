package dev.evenkeel.kernel.api;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads of {@code metadata} and of paths in trees that may lack any part of them. */
public final class Meta {

  private Meta() {}

  /** The object's metadata, made if it was missing or no object. */
  public static ObjectNode of(ObjectNode object) {
    return object.get("metadata") instanceof ObjectNode metadata
        ? metadata
        : object.putObject("metadata");
  }

  public static String name(ObjectNode object) {
    return text(object.path("metadata").path("name"));
  }

  public static String namespace(ObjectNode object) {
    return text(object.path("metadata").path("namespace"));
  }

  public static String uid(ObjectNode object) {
    return text(object.path("metadata").path("uid"));
  }

  public static String resourceVersion(ObjectNode object) {
    return text(object.path("metadata").path("resourceVersion"));
  }

  public static Map<String, String> labels(ObjectNode object) {
    return strings(object.path("metadata").path("labels"));
  }

  /** The entries of a map of strings; empty if there is none. */
  public static Map<String, String> strings(JsonNode map) {
    Map<String, String> strings = new LinkedHashMap<>();
    map.forEachEntry((name, value) -> strings.put(name, text(value)));
    return strings;
  }

  /** The string, or empty where there is none. */
  public static String text(JsonNode node) {
    return node.isString() ? node.stringValue() : "";
  }

  /** A node by field names, a missing node where the path leads nowhere. */
  public static JsonNode at(JsonNode node, String... fields) {
    JsonNode here = node;
    for (String field : fields) {
      here = here.path(field);
    }
    return here;
  }
}
