package dev.evenkeel.serve.kinds.wire;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What stands around objects in lists and watches. Lengths come before what they measure, so
 * whoever writes a list must know how long its items are together.
 */
public final class WireFrames {

  private static final int HEAD_BYTES = 64;

  private static final int METADATA = 1;
  private static final int ITEMS = 2;

  private static final int RESOURCE_VERSION = 2;
  private static final int CONTINUE = 3;
  private static final int REMAINING = 4;

  private static final int EVENT_TYPE = 1;
  private static final int EVENT_OBJECT = 2;

  private WireFrames() {}

  /**
   * Everything of a list before its first item.
   *
   * @param continueToken null at the end
   * @param remaining how many follow, -1 if that is not known
   * @param itemsBytes all items with what stands before each
   */
  public static byte[] listHead(
      String apiVersion,
      String listKind,
      long revision,
      @Nullable String continueToken,
      long remaining,
      long itemsBytes) {
    var meta = new WireBuffer(HEAD_BYTES);
    meta.tag(METADATA, Wire.LENGTH);
    int mark = meta.open();
    meta.block(RESOURCE_VERSION, ascii(Long.toString(revision)));
    if (continueToken != null) {
      meta.block(CONTINUE, ascii(continueToken));
      if (remaining >= 0) {
        meta.tag(REMAINING, Wire.VARINT);
        meta.varint(remaining);
      }
    }
    meta.close(mark);
    return meta.toBytes(WireCodec.envelope(apiVersion, listKind, meta.size() + itemsBytes));
  }

  /** What stands before an item of a list. */
  public static byte[] itemHead(int itemBytes) {
    var head = new WireBuffer(1 + WireBuffer.varintBytes(itemBytes));
    head.tag(ITEMS, Wire.LENGTH);
    head.varint(itemBytes);
    return head.toBytes();
  }

  /**
   * What stands before the object of a watch's event: how long the event is, in four bytes, and the
   * event up to its object, which ends it.
   */
  public static byte[] eventHead(String type, int objectBytes) {
    var event = new WireBuffer(HEAD_BYTES);
    event.block(EVENT_TYPE, ascii(type));
    event.tag(EVENT_OBJECT, Wire.LENGTH);
    // The object is the first and only field of a message of its own.
    event.varint(1L + WireBuffer.varintBytes(objectBytes) + objectBytes);
    event.tag(1, Wire.LENGTH);
    event.varint(objectBytes);
    int length = event.size() + objectBytes;
    return event.toBytes(
        new byte[] {
          (byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8), (byte) length
        });
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
