package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import java.nio.charset.StandardCharsets;
import java.util.Set;
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

  private static final int ENVELOPE_BYTES = 64;

  /** Only upstream's types have numbers for their fields. */
  private static final String UPSTREAM = "io.k8s.";

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  /** Kinds of no group of their own. */
  private static final Set<String> META_KINDS = Set.of("DeleteOptions", "Status");

  /** Read when the first such body comes by. */
  private static final class Holder {
    static final WireTypes TYPES = new WireTypes(new WireNumbers());
  }

  private WireCodec() {}

  /** Whether objects of a kind can be written that way: Kubernetes' own can. */
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
    WireType type = require(Gvk.of(apiVersion, kind));
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", apiVersion);
    object.put("kind", kind);
    new WireDecoder(new WireReader(body, envelope.from)).message(type, envelope.to, object, 1);
    return object;
  }

  /**
   * Encodes an object as a body. It says by its apiVersion and kind what it is.
   *
   * @throws JsonException if it is of an unknown kind or not what its kind's objects are
   */
  public static byte[] encode(ObjectNode object) {
    var gvk = Gvk.of(Meta.text(object.path("apiVersion")), Meta.text(object.path("kind")));
    return new WireKind(gvk, require(gvk)).encode(Json.encode(object));
  }

  /**
   * What writes objects of a kind, null if they cannot be written that way: Kubernetes' own can.
   */
  public static @Nullable WireKind kind(Gvk gvk) {
    WireType type = type(gvk);
    return type == null ? null : new WireKind(gvk, type);
  }

  /** What stands before an object in a body. */
  static byte[] envelope(String apiVersion, String kind, long objectBytes) {
    var out = new WireBuffer(ENVELOPE_BYTES);
    out.put(MAGIC, 0, MAGIC.length);
    out.tag(1, Wire.LENGTH);
    int mark = out.open();
    out.block(1, apiVersion.getBytes(StandardCharsets.UTF_8));
    out.block(2, kind.getBytes(StandardCharsets.UTF_8));
    out.close(mark);
    out.tag(2, Wire.LENGTH);
    out.varint(objectBytes);
    return out.toBytes();
  }

  /** The message of every object's metadata. */
  static WireType metadata() {
    Schema.Struct struct = Catalog.type(META + "ObjectMeta");
    WireType type = struct == null ? null : Holder.TYPES.find(struct);
    if (type == null) {
      throw new IllegalStateException("no field numbers are written for metadata");
    }
    return type;
  }

  private static WireType require(Gvk gvk) {
    WireType type = type(gvk);
    if (type == null) {
      throw unknown(gvk);
    }
    return type;
  }

  private static JsonException unknown(Gvk gvk) {
    return new JsonException(
        "no kind \"" + gvk.kind() + "\" is registered for version \"" + gvk.apiVersion() + "\"");
  }

  private static @Nullable WireType type(Gvk gvk) {
    Schema.Struct struct = Catalog.type(gvk);
    if (struct == null && META_KINDS.contains(gvk.kind())) {
      // Clients send options in the group and version of what they are about.
      struct = Catalog.type(META + gvk.kind());
    }
    return struct == null ? null : type(struct);
  }

  /** The message of a type, null if it has none. */
  static @Nullable WireType type(Schema.Struct struct) {
    return struct.name().startsWith(UPSTREAM) ? Holder.TYPES.find(struct) : null;
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
