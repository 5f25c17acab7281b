package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Between protobuf bodies and trees.
 *
 * <p>A body is four bytes and then a message that says what it carries: {@code {1: {1: apiVersion,
 * 2: kind}, 2: the object, 3: contentEncoding, 4: contentType}}.
 */
public final class WireCodec {

  public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

  private static final byte[] MAGIC = "k8s\0".getBytes(StandardCharsets.ISO_8859_1);

  private static final String DELETE_OPTIONS = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";

  /** Read when the first such body comes by. */
  private static final class Holder {
    static final WireTypes TYPES = new WireTypes(new WireNumbers());
  }

  private WireCodec() {}

  /** Whether objects of a kind can be written that way: those of the catalog can. */
  public static boolean speaks(Gvk gvk) {
    return type(gvk) != null;
  }

  /**
   * Decodes a body.
   *
   * @param expected what it is if it does not say so itself
   * @return the object, with the apiVersion and kind that it says it has
   * @throws JsonException if it is malformed or of an unknown kind
   */
  public static ObjectNode decode(byte[] body, Gvk expected) {
    for (int i = 0; i < MAGIC.length; i++) {
      if (body.length <= i || body[i] != MAGIC[i]) {
        throw WireReader.malformed("it does not begin as Kubernetes' bodies do");
      }
    }
    var in = new WireReader(body, MAGIC.length);
    var envelope = Envelope.read(in, body.length);
    String apiVersion = envelope.apiVersion.isEmpty() ? expected.apiVersion() : envelope.apiVersion;
    String kind = envelope.kind.isEmpty() ? expected.kind() : envelope.kind;
    WireType type = type(Gvk.of(apiVersion, kind));
    if (type == null) {
      throw unknown(Gvk.of(apiVersion, kind));
    }
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", apiVersion);
    object.put("kind", kind);
    new WireDecoder(new WireReader(body, envelope.from)).message(type, envelope.to, object, 1);
    return object;
  }

  /**
   * Encodes an object, which says by its apiVersion and kind what it is.
   *
   * @throws JsonException if it is of an unknown kind or not what its kind's objects are
   */
  public static byte[] encode(ObjectNode object) {
    var gvk = Gvk.of(Meta.text(object.path("apiVersion")), Meta.text(object.path("kind")));
    WireType type = type(gvk);
    if (type == null) {
      throw unknown(gvk);
    }
    var out = new WireWriter();
    new WireEncoder(out).message(type, object);
    out.close(2, 0);
    int mark = out.size();
    out.string(gvk.kind());
    out.tag(2, Wire.LENGTH);
    out.string(gvk.apiVersion());
    out.tag(1, Wire.LENGTH);
    out.close(1, mark);
    out.raw(MAGIC);
    return out.toBytes();
  }

  private static JsonException unknown(Gvk gvk) {
    return new JsonException(
        "no kind \"" + gvk.kind() + "\" is registered for version \"" + gvk.apiVersion() + "\"");
  }

  private static @Nullable WireType type(Gvk gvk) {
    Schema.Struct struct = Catalog.type(gvk);
    if (struct == null && gvk.kind().equals("DeleteOptions")) {
      // Clients send them in the group and version of what they delete.
      struct = Objects.requireNonNull(Catalog.type(DELETE_OPTIONS));
    }
    return struct == null ? null : Holder.TYPES.find(struct);
  }

  /** What a body says about the object in it, and where that is. */
  private static final class Envelope {
    String apiVersion = "";
    String kind = "";
    int from;
    int to;

    static Envelope read(WireReader in, int end) {
      var envelope = new Envelope();
      while (in.at() < end) {
        int tag = in.tag(end);
        switch (tag) {
          case 1 << 3 | Wire.LENGTH -> envelope.typeMeta(in, in.end(end));
          case 2 << 3 | Wire.LENGTH -> {
            envelope.to = in.end(end);
            envelope.from = in.at();
            in.skipTo(envelope.to);
          }
          case 3 << 3 | Wire.LENGTH -> {
            if (!in.string(end).isEmpty()) {
              throw new JsonException("a body's object may not be compressed");
            }
          }
          default -> in.skip(tag, end);
        }
      }
      return envelope;
    }

    private void typeMeta(WireReader in, int end) {
      while (in.at() < end) {
        int tag = in.tag(end);
        switch (tag) {
          case 1 << 3 | Wire.LENGTH -> apiVersion = in.string(end);
          case 2 << 3 | Wire.LENGTH -> kind = in.string(end);
          default -> in.skip(tag, end);
        }
      }
    }
  }
}
