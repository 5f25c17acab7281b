package dev.evenkeel.serve.present;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.serve.cache.Bookmark;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.EventFrame;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.wire.WireCodec;
import dev.evenkeel.serve.kinds.wire.WireFrames;
import dev.evenkeel.serve.kinds.wire.WireKind;

/**
 * Objects as protobuf, for clients that read it faster than JSON. It is made from the JSON that is
 * kept, so JSON is what costs the server least.
 */
final class WirePresentation implements Presentation {

  static final EventFrame FRAME =
      new EventFrame() {
        @Override
        public byte[] head(Type type, int objectBytes) {
          return WireFrames.eventHead(type.name(), objectBytes);
        }

        @Override
        public byte[] tail() {
          return NOTHING;
        }
      };

  private final ResourceDefinition definition;
  private final ObjectPresentation plain;
  private final WireKind kind;

  WirePresentation(ResourceDefinition definition, ObjectPresentation plain, WireKind kind) {
    this.definition = definition;
    this.plain = plain;
    this.kind = kind;
  }

  @Override
  public byte[] encode(CachedObject object) {
    return kind.encode(plain.encode(object));
  }

  @Override
  public byte[] item(CachedObject object) {
    return kind.encodeItem(plain.encode(object));
  }

  @Override
  public byte[] itemHead(boolean first, int itemBytes) {
    return WireFrames.itemHead(itemBytes);
  }

  @Override
  public byte[] listHead(ListMeta meta, long itemsBytes) {
    return WireFrames.listHead(
        definition.gvk().apiVersion(),
        definition.names().listKind(),
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
    return kind.encode(plain.bookmark(bookmark));
  }

  @Override
  public byte[] status(Status status) {
    return WireCodec.encode(status.toJson());
  }

  @Override
  public EventFrame frame() {
    return FRAME;
  }
}
