package dev.evenkeel.serve.describe;

import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The schema of a custom kind as a document shows it: as its author wrote it, where it can. */
final class PublishedType {

  /**
   * What is said in the second version, besides extensions: it has no words for combinations and
   * nulls, and what is left out restricts nothing.
   */
  private static final Set<String> IN_V2 =
      Set.of(
          "type",
          "format",
          "title",
          "description",
          "multipleOf",
          "maximum",
          "exclusiveMaximum",
          "minimum",
          "exclusiveMinimum",
          "maxLength",
          "minLength",
          "pattern",
          "maxItems",
          "minItems",
          "maxProperties",
          "minProperties",
          "required",
          "enum",
          "additionalProperties",
          "items",
          "properties",
          "$ref");

  private PublishedType() {}

  static ObjectNode of(ObjectNode written, Dialect dialect, ObjectNode metadata) {
    ObjectNode type = written.deepCopy();
    ObjectNode properties =
        type.get("properties") instanceof ObjectNode known ? known : type.putObject("properties");
    for (String field : List.of("apiVersion", "kind")) {
      properties
          .putObject(field)
          .put("type", "string")
          .put("description", Descriptions.ofField(field));
    }
    properties.set("metadata", metadata);
    if (dialect == Dialect.V2) {
      strip(type);
    }
    return type;
  }

  private static void strip(JsonNode node) {
    if (node instanceof ObjectNode schema) {
      // Names of fields are no words of the schema's.
      if (schema.get("properties") instanceof ObjectNode properties) {
        for (Map.Entry<String, JsonNode> property : properties.properties()) {
          strip(property.getValue());
        }
      }
      for (String inside : List.of("items", "additionalProperties")) {
        strip(schema.path(inside));
      }
      boolean free =
          schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false)
              || schema.path("x-kubernetes-int-or-string").asBoolean(false);
      schema.retain(
          schema.propertyNames().stream()
              .filter(
                  word ->
                      IN_V2.contains(word)
                          || (word.startsWith("x-") && !word.equals("x-kubernetes-validations")))
              .toList());
      if (free) {
        schema.remove("type");
      }
    }
  }
}
