package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Limits;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A kind that has every sort of field there is, and objects of it. */
final class SampleKind {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  static final Schema.Struct PORT =
      struct(
          "Port",
          field("port", Schema.Scalar.INT32),
          new Field(
              "protocol",
              Schema.Scalar.STRING,
              false,
              NODES.stringNode("TCP"),
              MergeStrategy.REPLACE),
          field("name", Schema.Scalar.STRING));

  static final Schema.Struct CONTAINER =
      struct(
          "Container",
          field("name", Schema.Scalar.STRING),
          field("image", Schema.Scalar.STRING),
          field("args", list(Schema.Scalar.STRING, Schema.ListType.ATOMIC)),
          field("ports", list(PORT, Schema.ListType.MAP, "port", "protocol")),
          field("limits", new Schema.MapOf(Schema.Scalar.QUANTITY)));

  static final Schema.Struct SPEC =
      struct(
          "Spec",
          field("replicas", Schema.Scalar.INT32),
          field("words", list(Schema.Scalar.STRING, Schema.ListType.SET)),
          field("labels", new Schema.MapOf(Schema.Scalar.STRING)),
          field("containers", list(CONTAINER, Schema.ListType.MAP, "name")),
          atomic("selector", new Schema.MapOf(Schema.Scalar.STRING)),
          field(
              "inner",
              struct("Inner", field("a", Schema.Scalar.STRING), field("b", Schema.Scalar.STRING))),
          field("free", Schema.Scalar.ANY));

  static final Schema.Struct THING =
      struct(
          "Thing",
          field("apiVersion", Schema.Scalar.STRING),
          field("kind", Schema.Scalar.STRING),
          field(
              "metadata",
              struct(
                  "Meta",
                  field("name", Schema.Scalar.STRING),
                  field("uid", Schema.Scalar.STRING),
                  field("labels", new Schema.MapOf(Schema.Scalar.STRING)))),
          field("spec", SPEC),
          field("status", struct("Status", field("ready", Schema.Scalar.INT32))));

  static final Versions.Version V1 = version(NODES.objectNode(), FieldSet.EMPTY);

  private SampleKind() {}

  static Versions.Version version(ObjectNode zero, FieldSet reset) {
    return new Versions.Version("v1", THING, zero, reset);
  }

  /** SampleKind exist in one version. */
  static final Versions ONE_VERSION =
      new Versions() {
        @Override
        public @Nullable Version at(String apiVersion) {
          return apiVersion.equals("v1") ? V1 : null;
        }

        @Override
        public ObjectNode convert(ObjectNode object, String from, String to) {
          return object;
        }
      };

  private static Schema.Struct struct(String name, Field... fields) {
    var struct = new Schema.Struct(name, false);
    List.of(fields).forEach(struct::add);
    return struct;
  }

  private static Field field(String name, Schema schema) {
    return new Field(name, schema, false, null, MergeStrategy.REPLACE);
  }

  private static Field atomic(String name, Schema schema) {
    return new Field(name, schema, false, null, MergeStrategy.REPLACE, true, Limits.NONE, false);
  }

  private static Schema list(Schema items, Schema.ListType type, String... keys) {
    return new Schema.ListOf(items, type, List.of(keys));
  }

  /** From JSON with single quotes. */
  static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  static String text(JsonNode json) {
    return new String(Json.encode(json), StandardCharsets.UTF_8).replace('"', '\'');
  }

  /** A thing with some of all that things may have, items told apart. */
  static ObjectNode random(SplittableRandom random) {
    ObjectNode thing = NODES.objectNode();
    thing.put("apiVersion", "v1").put("kind", "Thing");
    ObjectNode metadata = thing.putObject("metadata").put("name", "a");
    if (random.nextInt(2) == 0) {
      metadata.set("labels", labels(random));
    }
    ObjectNode spec = thing.putObject("spec");
    if (random.nextInt(2) == 0) {
      spec.put("replicas", random.nextLong(3));
    }
    if (random.nextInt(2) == 0) {
      spec.set("words", words(random));
    }
    if (random.nextInt(2) == 0) {
      spec.set("labels", labels(random));
    }
    if (random.nextInt(3) == 0) {
      spec.set("selector", labels(random));
    }
    if (random.nextInt(3) == 0) {
      ObjectNode inner = spec.putObject("inner");
      if (random.nextInt(2) == 0) {
        inner.put("a", word(random));
      }
      if (random.nextInt(2) == 0) {
        inner.put("b", word(random));
      }
    }
    if (random.nextInt(3) == 0) {
      spec.set("free", free(random, 3));
    }
    if (random.nextInt(2) == 0) {
      ArrayNode containers = spec.putArray("containers");
      for (String name : words(random).valueStream().map(JsonNode::stringValue).toList()) {
        containers.add(container(random, name));
      }
    }
    return thing;
  }

  private static ObjectNode container(SplittableRandom random, String name) {
    ObjectNode container = NODES.objectNode().put("name", name);
    if (random.nextInt(2) == 0) {
      container.put("image", word(random));
    }
    if (random.nextInt(2) == 0) {
      container.set("args", words(random));
    }
    if (random.nextInt(2) == 0) {
      ArrayNode ports = container.putArray("ports");
      for (int port = 0; port < 3; port++) {
        if (random.nextInt(2) == 0) {
          ObjectNode one = ports.addObject().put("port", (long) port);
          if (random.nextInt(2) == 0) {
            one.put("protocol", random.nextInt(2) == 0 ? "TCP" : "UDP");
          }
          if (random.nextInt(2) == 0) {
            one.put("name", word(random));
          }
        }
      }
    }
    return container;
  }

  private static JsonNode free(SplittableRandom random, int depth) {
    return switch (random.nextInt(depth == 0 ? 3 : 5)) {
      case 0 -> NODES.stringNode(word(random));
      case 1 -> NODES.numberNode(random.nextLong(3));
      case 2 -> NODES.booleanNode(random.nextBoolean());
      case 3 -> words(random);
      default -> {
        ObjectNode object = NODES.objectNode();
        for (int i = random.nextInt(3); i >= 0; i--) {
          object.set(word(random), free(random, depth - 1));
        }
        yield object;
      }
    };
  }

  private static ObjectNode labels(SplittableRandom random) {
    ObjectNode labels = NODES.objectNode();
    for (int i = random.nextInt(4); i > 0; i--) {
      labels.put(word(random), word(random));
    }
    return labels;
  }

  /** Different words in any order. */
  private static ArrayNode words(SplittableRandom random) {
    ArrayNode words = NODES.arrayNode();
    var seen = new java.util.LinkedHashSet<String>();
    for (int i = random.nextInt(4); i > 0; i--) {
      seen.add(word(random));
    }
    seen.forEach(words::add);
    return words;
  }

  private static String word(SplittableRandom random) {
    return List.of("a", "b", "c", "d", "é\"", "<x>").get(random.nextInt(6));
  }
}
