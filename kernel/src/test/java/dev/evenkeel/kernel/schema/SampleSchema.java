package dev.evenkeel.kernel.schema;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A kind with a field of every sort, and JSON with single quotes. */
final class SampleSchema {

  static final Schema.Struct INNER = new Schema.Struct("io.test.v1.Inner", false);
  static final Schema.Struct OPEN = new Schema.Struct("io.test.v1.Open", true);
  static final Schema.Struct EITHER =
      new Schema.Struct(
          "io.test.v1.Either",
          false,
          new Schema.Struct.Traits(true, false),
          () -> INNER.fields().values());
  static final Schema.Struct SPEC = new Schema.Struct("io.test.v1.ThingSpec", false);
  static final Schema.Struct THING = new Schema.Struct("io.test.v1.Thing", false);

  static {
    add(INNER, "name", Schema.Scalar.STRING);
    add(INNER, "self", INNER);
    add(SPEC, "text", Schema.Scalar.STRING);
    add(SPEC, "replicas", Schema.Scalar.INT32);
    add(SPEC, "large", Schema.Scalar.INT64);
    add(SPEC, "ratio", Schema.Scalar.DOUBLE);
    add(SPEC, "on", Schema.Scalar.BOOLEAN);
    add(SPEC, "port", Schema.Scalar.INT_OR_STRING);
    add(SPEC, "memory", Schema.Scalar.QUANTITY);
    add(SPEC, "time", Schema.Scalar.TIME);
    add(SPEC, "micro", Schema.Scalar.MICRO_TIME);
    add(SPEC, "secret", Schema.Scalar.BYTES);
    add(SPEC, "any", Schema.Scalar.ANY);
    add(SPEC, "inner", INNER);
    add(SPEC, "inners", new Schema.ListOf(INNER, Schema.ListType.ATOMIC, List.of()));
    add(SPEC, "named", new Schema.MapOf(INNER));
    add(SPEC, "labels", new Schema.MapOf(Schema.Scalar.STRING));
    add(SPEC, "words", new Schema.ListOf(Schema.Scalar.STRING, Schema.ListType.SET, List.of()));
    add(SPEC, "amounts", new Schema.MapOf(Schema.Scalar.QUANTITY));
    add(SPEC, "open", OPEN);
    add(SPEC, "either", EITHER);
    add(THING, "spec", SPEC);
  }

  private SampleSchema() {}

  static void add(Schema.Struct struct, String name, Schema schema) {
    struct.add(new Field(name, schema, false, null, MergeStrategy.REPLACE));
  }

  static Field limited(String name, Schema schema, Limits limits) {
    return new Field(name, schema, false, null, MergeStrategy.REPLACE, false, limits, false);
  }

  static Field defaulted(String name, Schema schema, @Nullable JsonNode value, boolean orZero) {
    return new Field(name, schema, false, value, MergeStrategy.REPLACE, false, Limits.NONE, orZero);
  }

  static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  static JsonNode value(String text) {
    return Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
