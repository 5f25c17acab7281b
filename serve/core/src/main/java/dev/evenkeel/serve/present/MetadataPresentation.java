package dev.evenkeel.serve.present;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.cache.Bookmark;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Objects without all but their metadata. */
final class MetadataPresentation implements Presentation {

  static final String LIST = "PartialObjectMetadataList";

  private final String apiVersion;
  private final List<String> left;

  /**
   * @param version of the group {@code meta.k8s.io}
   */
  MetadataPresentation(ResourceDefinition definition, String version) {
    this.apiVersion = "meta.k8s.io/" + version;
    this.left = definition.rules().annotationsOfSpec();
  }

  String apiVersion() {
    return apiVersion;
  }

  @Override
  public byte[] encode(CachedObject object) {
    return Json.encode(partial(Json.parseObject(object.json())));
  }

  ObjectNode partial(ObjectNode object) {
    ObjectNode partial = JsonNodeFactory.instance.objectNode();
    partial.put("kind", "PartialObjectMetadata");
    partial.put("apiVersion", apiVersion);
    JsonNode metadata = object.get("metadata");
    if (metadata != null) {
      partial.set("metadata", left.isEmpty() ? metadata : without(metadata.deepCopy()));
    }
    return partial;
  }

  private JsonNode without(JsonNode metadata) {
    if (metadata.path("annotations") instanceof ObjectNode annotations) {
      annotations.remove(left);
      if (annotations.isEmpty()) {
        ((ObjectNode) metadata).remove("annotations");
      }
    }
    return metadata;
  }

  @Override
  public byte[] listHead(ListMeta meta, long itemsBytes) {
    return ("{\"kind\":\""
            + LIST
            + "\",\"apiVersion\":\""
            + apiVersion
            + "\",\"metadata\":"
            + meta.json()
            + ",\"items\":[")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] bookmark(Bookmark bookmark) {
    return ("{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\""
            + apiVersion
            + "\",\"metadata\":"
            + bookmark.metadata()
            + "}")
        .getBytes(StandardCharsets.UTF_8);
  }
}
