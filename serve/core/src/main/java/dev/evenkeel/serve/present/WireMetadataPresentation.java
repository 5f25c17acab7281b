package dev.evenkeel.serve.present;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.cache.Bookmark;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.EventFrame;
import dev.evenkeel.serve.kinds.wire.WireCodec;
import dev.evenkeel.serve.kinds.wire.WireFrames;
import dev.evenkeel.serve.kinds.wire.WireMetadata;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.ObjectNode;

/** Objects without all but their metadata, as protobuf: what collectors of garbage follow. */
final class WireMetadataPresentation implements Presentation {

  private final MetadataPresentation plain;
  private final WireMetadata wire;

  WireMetadataPresentation(MetadataPresentation plain) {
    this.plain = plain;
    this.wire = new WireMetadata(plain.apiVersion());
  }

  private byte[] metadata(CachedObject object) {
    ObjectNode partial = plain.partial(Json.parseObject(object.json()));
    return Json.encode(Meta.of(partial));
  }

  @Override
  public byte[] encode(CachedObject object) {
    return wire.encode(metadata(object));
  }

  @Override
  public byte[] item(CachedObject object) {
    return wire.encodeItem(metadata(object));
  }

  @Override
  public byte[] itemHead(boolean first, int itemBytes) {
    return WireFrames.itemHead(itemBytes);
  }

  @Override
  public byte[] listHead(ListMeta meta, long itemsBytes) {
    return WireFrames.listHead(
        plain.apiVersion(),
        MetadataPresentation.LIST,
        meta.revision(),
        meta.continueToken(),
        meta.remaining(),
        itemsBytes);
  }

  @Override
  public byte[] listTail() {
    return NOTHING;
  }

  @Override
  public boolean measuresLists() {
    return true;
  }

  @Override
  public boolean isJson() {
    return false;
  }

  @Override
  public byte[] bookmark(Bookmark bookmark) {
    return wire.encode(bookmark.metadata().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public byte[] status(Status status) {
    return WireCodec.encode(status.toJson());
  }

  @Override
  public EventFrame frame() {
    return WirePresentation.FRAME;
  }
}
