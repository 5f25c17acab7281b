package dev.evenkeel.serve.present;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.cache.Bookmark;
import dev.evenkeel.serve.cache.CachedObject;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Objects without all but their metadata. */
final class MetadataPresentation implements Presentation {

  private final String apiVersion;

  /**
   * @param version of the group {@code meta.k8s.io}
   */
  MetadataPresentation(String version) {
    this.apiVersion = "meta.k8s.io/" + version;
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
      partial.set("metadata", metadata);
    }
    return partial;
  }

  @Override
  public byte[] listHead(ListMeta meta, long itemsBytes) {
    return ("{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\""
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
