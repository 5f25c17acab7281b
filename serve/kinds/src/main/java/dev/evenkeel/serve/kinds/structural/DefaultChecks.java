package dev.evenkeel.serve.kinds.structural;

import dev.evenkeel.kernel.schema.Problems;
import java.util.List;
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
    for (Map.Entry<String, Node> property : schema.properties().entrySet()) {
      check(property.getValue(), path + ".properties[" + property.getKey() + "]", problems);
    }
    if (schema.additional() != null) {
      check(schema.additional(), path + ".additionalProperties", problems);
    }
    if (schema.items() != null) {
      check(schema.items(), path + ".items", problems);
    }
  }

  private static void one(JsonNode value, Node schema, String path, Problems problems) {
    JsonNode filled = value.deepCopy();
    List<String> unknown = Pruning.value(filled, schema);
    if (!unknown.isEmpty()) {
      problems.invalid(path, value, "must not have unknown fields: " + unknown.getFirst());
      return;
    }
    Defaulting.apply(filled, schema);
    Validation.value(filled, schema, path, problems);
  }
}
