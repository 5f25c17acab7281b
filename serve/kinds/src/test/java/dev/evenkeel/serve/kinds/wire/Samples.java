package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Objects in which every field is set, with values by chance. */
final class Samples {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final Set<String> BODY_FIELDS = Set.of("apiVersion", "kind");

  private final SplittableRandom random;

  Samples(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Every kind that a body can be of. */
  static List<Gvk> kinds() {
    List<Gvk> kinds = new ArrayList<>();
    for (ResourceDefinition definition : Catalog.builtIn()) {
      if (WireCodec.speaks(definition.gvk())) {
        kinds.add(definition.gvk());
      }
    }
    kinds.add(Gvk.of("autoscaling/v1", "Scale"));
    kinds.add(Gvk.of("policy/v1", "Eviction"));
    kinds.add(Gvk.of("authentication.k8s.io/v1", "TokenRequest"));
    return kinds;
  }

  ObjectNode full(Gvk gvk) {
    Schema.Struct struct = Objects.requireNonNull(Catalog.type(gvk));
    return ((ObjectNode) of(struct, List.of()))
        .put("apiVersion", gvk.apiVersion())
        .put("kind", gvk.kind());
  }

  private JsonNode of(Schema schema, List<String> above) {
    return switch (schema) {
      case Schema.Struct struct -> struct(struct, above);
      case Schema.MapOf map -> {
        ObjectNode entries = NODES.objectNode();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
          entries.set("key" + i, of(map.values(), above));
        }
        yield entries;
      }
      case Schema.ListOf list -> {
        ArrayNode items = NODES.arrayNode();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
          items.add(of(list.items(), above));
        }
        yield items;
      }
      case Schema.Scalar scalar -> scalar(scalar);
    };
  }

  private JsonNode scalar(Schema.Scalar scalar) {
    return switch (scalar) {
      case STRING -> text();
      case INT_OR_STRING -> random.nextBoolean() ? text() : number(Integer.MAX_VALUE);
      case INT32 -> number(Integer.MAX_VALUE);
      case INT64 -> number(Long.MAX_VALUE);
      case DOUBLE -> NODES.numberNode(random.nextInt(1, 1000) + 0.5);
      case BOOLEAN -> NODES.booleanNode(true);
      case QUANTITY -> NODES.stringNode(random.nextInt(1, 1000) + "Mi");
      case TIME -> NODES.stringNode(WireTime.text(random.nextInt(), 0, false));
      case MICRO_TIME ->
          NODES.stringNode(WireTime.text(random.nextInt(), random.nextInt(1_000_000) * 1000, true));
      case BYTES -> NODES.stringNode(random.nextBoolean() ? "YQ==" : "/+8A");
      case ANY -> any();
    };
  }

  /** Of any size that the type has, and of either sign; never zero. */
  private JsonNode number(long max) {
    long size = 1 + random.nextLong(max >>> random.nextInt(Long.numberOfTrailingZeros(max + 1)));
    return NODES.numberNode(random.nextBoolean() ? size : -size);
  }

  private JsonNode text() {
    return NODES.stringNode(
        switch (random.nextInt(5)) {
          case 0 -> "text";
          case 1 -> "\"quoted\" \\ / \b\f\n\r\t";
          case 2 -> "ä€𝄞 \u0000\uFFFD";
          case 3 -> "x".repeat(random.nextInt(100, 300));
          default -> "a" + random.nextInt(1000);
        });
  }

  private JsonNode any() {
    return switch (random.nextInt(4)) {
      case 0 -> NODES.objectNode().put("anything", true).put("x", 1.5);
      case 1 -> NODES.stringNode("text");
      case 2 -> NODES.arrayNode().add(1L).add("x");
      default -> NODES.numberNode(3L);
    };
  }

  /** Protobuf says once for a body what it is, and not inside it. */
  static boolean saysWhatABodyIs(Schema.Struct struct, String field) {
    return BODY_FIELDS.contains(field)
        && (struct.field("metadata") != null || struct.name().endsWith("DeleteOptions"));
  }

  /**
   * @param above the types that this is inside of: one that contains itself must end somewhere
   */
  private JsonNode struct(Schema.Struct struct, List<String> above) {
    if (struct.keepsUnknown()) {
      return NODES.objectNode().put("whatever", 1L);
    }
    if (struct.name().endsWith("OrBool") && random.nextBoolean()) {
      return NODES.booleanNode(random.nextBoolean());
    }
    if (struct.name().endsWith("OrStringArray") && random.nextBoolean()) {
      return NODES.arrayNode().add("a").add("b");
    }
    boolean orArray = struct.name().endsWith("OrArray") && random.nextBoolean();
    ObjectNode object = NODES.objectNode();
    boolean again = above.contains(struct.name());
    List<String> here = new ArrayList<>(above);
    here.add(struct.name());
    for (Field field : struct.fields().values()) {
      boolean ofBody = saysWhatABodyIs(struct, field.name());
      if (!ofBody && (!again || field.schema() instanceof Schema.Scalar)) {
        object.set(field.name(), of(field.schema(), here));
      }
    }
    return orArray ? NODES.arrayNode().add(object).add(object.deepCopy()) : object;
  }
}
