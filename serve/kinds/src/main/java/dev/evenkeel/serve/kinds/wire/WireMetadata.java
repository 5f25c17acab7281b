package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.kernel.json.JsonException;

/**
 * Writes objects of any kind, users' own too, without all but their metadata.
 *
 * <p>Threading: any.
 */
public final class WireMetadata {

  private static final int METADATA = 1;

  private final String apiVersion;

  /**
   * @param apiVersion of the answer, for example {@code meta.k8s.io/v1}
   */
  public WireMetadata(String apiVersion) {
    this.apiVersion = apiVersion;
  }

  /**
   * The object as a body.
   *
   * @param metadata what it has below {@code metadata}, as JSON
   * @throws JsonException if it is no metadata
   */
  public byte[] encode(byte[] metadata) {
    WireBuffer object = message(metadata);
    return object.toBytes(WireCodec.envelope(apiVersion, "PartialObjectMetadata", object.size()));
  }

  /** The object as the item of a list. */
  public byte[] encodeItem(byte[] metadata) {
    return message(metadata).toBytes();
  }

  private static WireBuffer message(byte[] metadata) {
    var out = new WireBuffer(metadata.length);
    try {
      out.tag(METADATA, Wire.LENGTH);
      int mark = out.open();
      new WireTranscoder(metadata, out).message(WireCodec.metadata());
      out.close(mark);
    } catch (ArithmeticException | IndexOutOfBoundsException e) {
      throw new JsonException("malformed JSON");
    }
    return out;
  }
}
