package dev.evenkeel.serve.present;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.cache.Bookmark;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.ObjectNode;

/** Objects as they are, in the version that was asked for. */
final class ObjectPresentation implements Presentation {

  private final ResourceDefinition definition;

  ObjectPresentation(ResourceDefinition definition) {
    this.definition = definition;
  }

  @Override
  public byte[] encode(CachedObject object) {
    if (definition.servesStoredVersion()) {
      return object.json();
    }
    ObjectNode stored = Json.parseObject(object.json());
    return Json.encode(definition.storage().conversion().toServed(stored));
  }

  @Override
  public byte[] listHead(ListMeta meta, long itemsBytes) {
    return ("{\"kind\":\""
            + definition.names().listKind()
            + "\",\"apiVersion\":\""
            + definition.gvk().apiVersion()
            + "\",\"metadata\":"
            + meta.json()
            + ",\"items\":[")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] bookmark(Bookmark bookmark) {
    return new Bookmark(definition.gvk(), bookmark.revision(), bookmark.endsInitialEvents()).json();
  }
}
