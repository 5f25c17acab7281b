package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
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

  private static final String OPEN_ENDED = "x-kubernetes-preserve-unknown-fields";

  private PublishedType() {}

  /**
   * The type of a kind that users defined.
   *
   * @param metadata what refers to the type of all objects' metadata
   */
  static ObjectNode of(ObjectNode written, Dialect dialect, ObjectNode metadata) {
    if (dialect == Dialect.V2 && flag(written, OPEN_ENDED)) {
      // Where fields are named, clients of this dialect refuse all others.
      return JsonNodeFactory.instance.objectNode().put("type", "object");
    }
    ObjectNode type = written.deepCopy();
    if (dialect == Dialect.V2) {
      strip(type);
    } else {
      unfold(type);
    }
    typed(type, metadata);
    embedded(type, dialect, metadata);
    return type;
  }

  private static void typed(ObjectNode type, ObjectNode metadata) {
    ObjectNode properties =
        type.get("properties") instanceof ObjectNode known ? known : type.putObject("properties");
    for (String field : List.of("apiVersion", "kind")) {
      properties
          .putObject(field)
          .put("type", "string")
          .put("description", Descriptions.ofField(field));
    }
    properties.set("metadata", metadata);
  }

  /** Says what every object has also of objects inside of others. */
  private static void embedded(ObjectNode schema, Dialect dialect, ObjectNode metadata) {
    for (JsonNode inside : insides(schema)) {
      if (inside instanceof ObjectNode object) {
        embedded(object, dialect, metadata);
      }
    }
    boolean free = dialect == Dialect.V2 && flag(schema, OPEN_ENDED);
    if (flag(schema, "x-kubernetes-embedded-resource") && !free) {
      typed(schema, metadata);
      ArrayNode required =
          schema.get("required") instanceof ArrayNode known ? known : schema.putArray("required");
      for (String field : List.of("kind", "apiVersion")) {
        if (required.valueStream().noneMatch(name -> Meta.text(name).equals(field))) {
          required.add(field);
        }
      }
    }
  }

  private static List<JsonNode> insides(ObjectNode schema) {
    List<JsonNode> insides = new ArrayList<>();
    // Names of fields are no words of the schema's.
    schema.path("properties").forEach(insides::add);
    insides.add(schema.path("items"));
    insides.add(schema.path("additionalProperties"));
    return insides;
  }

  private static boolean flag(JsonNode schema, String name) {
    return schema.path(name).asBoolean(false);
  }

  /** Says in words of OpenAPI what is an integer or a string, and leaves out what is for people. */
  private static void unfold(ObjectNode schema) {
    schema.remove(List.of("example", "externalDocs"));
    insides(schema)
        .forEach(
            inside -> {
              if (inside instanceof ObjectNode object) {
                unfold(object);
              }
            });
    if (!flag(schema, "x-kubernetes-int-or-string")
        || isIntOrString(schema.path("anyOf"))
        || isIntOrString(schema.path("allOf").path(0).path("anyOf"))) {
      return;
    }
    if (schema.path("anyOf").isEmpty()) {
      addIntOrString(schema);
    } else {
      ArrayNode all = JsonNodeFactory.instance.arrayNode();
      addIntOrString(all.addObject());
      schema.path("allOf").forEach(all::add);
      schema.set("allOf", all);
    }
  }

  private static boolean isIntOrString(JsonNode parts) {
    return parts.size() == 2
        && Meta.text(parts.path(0).path("type")).equals("integer")
        && Meta.text(parts.path(1).path("type")).equals("string");
  }

  private static void addIntOrString(ObjectNode schema) {
    ArrayNode parts = schema.putArray("anyOf");
    parts.addObject().put("type", "integer");
    parts.addObject().put("type", "string");
  }

  /** Leaves out what the older dialect does not know, and what its clients stumble over. */
  private static void strip(ObjectNode schema) {
    boolean free = flag(schema, OPEN_ENDED);
    boolean nullable = flag(schema, "nullable");
    if (nullable || free) {
      schema.remove(List.of("items", "properties"));
    }
    String type = Meta.text(schema.path("type"));
    if (nullable
        || (type.equals("array") && !schema.has("items"))
        || (type.equals("object") && free)) {
      schema.remove("type");
    }
    nullableAreNotRequired(schema);
    insides(schema)
        .forEach(
            inside -> {
              if (inside instanceof ObjectNode object) {
                strip(object);
              }
            });
    schema.retain(
        schema.propertyNames().stream()
            .filter(
                word ->
                    IN_V2.contains(word)
                        || (word.startsWith("x-") && !word.equals("x-kubernetes-validations")))
            .toList());
  }

  private static void nullableAreNotRequired(ObjectNode schema) {
    if (!(schema.get("required") instanceof ArrayNode required)) {
      return;
    }
    if (flag(schema.path("additionalProperties"), "nullable")) {
      schema.remove("required");
      return;
    }
    for (int i = required.size() - 1; i >= 0; i--) {
      if (flag(schema.path("properties").path(Meta.text(required.path(i))), "nullable")) {
        required.remove(i);
      }
    }
    if (required.isEmpty()) {
      schema.remove("required");
    }
  }
}
