package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.json.JsonException;

/**
 * Writes objects of one kind.
 *
 * <p>Threading: any.
 */
public final class WireKind {

  private final Gvk gvk;
  private final WireType type;

  WireKind(Gvk gvk, WireType type) {
    this.gvk = gvk;
    this.type = type;
  }

  /**
   * The object as a body.
   *
   * @throws JsonException if it is not what the kind's objects are
   */
  public byte[] encode(byte[] json) {
    WireBuffer object = message(json);
    return object.toBytes(WireCodec.envelope(gvk.apiVersion(), gvk.kind(), object.size()));
  }

  /** The object as the item of a list, which says of itself nothing. */
  public byte[] encodeItem(byte[] json) {
    return message(json).toBytes();
  }

  private WireBuffer message(byte[] json) {
    // Nearly always shorter than the JSON.
    var out = new WireBuffer(json.length);
    try {
      new WireTranscoder(json, out).message(type);
    } catch (ArithmeticException | IndexOutOfBoundsException e) {
      throw new JsonException("malformed JSON");
    }
    return out;
  }
}
