package dev.evenkeel.serve.kinds.structural;

import dev.evenkeel.kernel.schema.Problems;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Holds the defaults of a schema against the schema itself. */
final class DefaultChecks {

  private DefaultChecks() {}

  static void check(Node schema, String path, Problems problems) {
    if (!schema.defaultsInside()) {
      return;
    }
    JsonNode value = schema.defaultValue();
    if (value != null) {
      one(value, schema, path + ".default", problems);
    }
    if (schema.items() != null) {
      check(schema.items(), path + ".items", problems);
    }
    // What maps have for values gets no defaults by itself.
    for (Map.Entry<String, Node> property : schema.properties().entrySet()) {
      check(property.getValue(), path + ".properties[" + property.getKey() + "]", problems);
    }
  }

  private static void one(JsonNode value, Node schema, String path, Problems problems) {
    if (!Pruning.value(value.deepCopy(), schema).isEmpty()) {
      problems.invalid(path, value, "must not have unknown fields");
    }
    Validation.check(value, null, schema, path, problems);
  }
}
