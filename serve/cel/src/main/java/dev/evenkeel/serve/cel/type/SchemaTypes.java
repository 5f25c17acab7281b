package dev.evenkeel.serve.cel.type;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.evenkeel.serve.cel.type.DeclaredType.Field;
import dev.evenkeel.serve.cel.type.DeclaredType.Kind;
import dev.evenkeel.serve.cel.type.DeclaredType.ListMerge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes types from a structural schema, and remembers the object types it made by their names. */
public final class SchemaTypes {

  /**
   * Upstream's largest request; estimates are part of the API, so ours must be made from it too.
   */
  public static final long REQUEST_BYTES_MAX = 3L * 1024 * 1024;

  private static final long STRING_SIZE_MIN = 2;
  private static final long TIME_LENGTH_MAX = 32;
  private static final long DURATION_SIZE_MIN = 3;
  private static final long DATE_SIZE = 12;
  private static final long TIMESTAMP_SIZE_MIN = 21;

  private final Map<String, StructType> objects = new HashMap<>();
  private final boolean plainNames;

  public SchemaTypes() {
    this(false);
  }

  private SchemaTypes(boolean plainNames) {
    this.plainNames = plainNames;
  }

  /** For data whose fields are called by their own names, also where these are reserved words. */
  public static SchemaTypes ofPlainNames() {
    return new SchemaTypes(true);
  }

  /** The object types made so far. */
  public Map<String, StructType> objects() {
    return objects;
  }

  /**
   * The type, or null if expressions cannot look at such data because its schema says too little.
   *
   * @param resource whether it is a whole object of the API, which always has its kind and name
   */
  public @Nullable DeclaredType of(JsonNode schema, boolean resource, String typeName) {
    if (schema.path("x-kubernetes-int-or-string").asBoolean(false)) {
      long length = schema.has("maxLength") ? stringLengthMax(schema) : REQUEST_BYTES_MAX - 2;
      return DeclaredType.scalar(Kind.ANY, SimpleType.DYN, length, 1);
    }
    return switch (schema.path("type").asString("")) {
      case "array" -> list(schema, typeName);
      case "object" -> objectOrMap(schema, resource, typeName);
      case "string" -> string(schema);
      case "boolean" -> DeclaredType.scalar(Kind.BOOLEAN, SimpleType.BOOL, 0, 4);
      case "number" -> DeclaredType.scalar(Kind.NUMBER, SimpleType.DOUBLE, 0, 1);
      case "integer" -> DeclaredType.scalar(Kind.INTEGER, SimpleType.INT, 0, 1);
      default -> null;
    };
  }

  private @Nullable DeclaredType list(JsonNode schema, String typeName) {
    JsonNode items = schema.get("items");
    if (items == null) {
      return null;
    }
    DeclaredType item = of(items, isEmbedded(items), typeName + ".@idx");
    if (item == null) {
      return null;
    }
    long itemsMax =
        limit(schema, "maxItems", (REQUEST_BYTES_MAX - 2) / (item.serializedSizeMin() + 1));
    ListMerge merge =
        switch (schema.path("x-kubernetes-list-type").asString("atomic")) {
          case "set" -> ListMerge.SET;
          case "map" -> ListMerge.KEYED;
          default -> ListMerge.ATOMIC;
        };
    var keys = new ArrayList<String>();
    for (JsonNode key : schema.path("x-kubernetes-list-map-keys")) {
      keys.add(key.asString(""));
    }
    return DeclaredType.list(item, itemsMax, merge, List.copyOf(keys));
  }

  private @Nullable DeclaredType objectOrMap(JsonNode schema, boolean resource, String typeName) {
    if (schema.get("additionalProperties") instanceof ObjectNode values) {
      DeclaredType value = of(values, isEmbedded(values), typeName + ".@elem");
      if (value == null) {
        return null;
      }
      long sizeMin = value.serializedSizeMin() + 6;
      return DeclaredType.map(
          value, limit(schema, "maxProperties", (REQUEST_BYTES_MAX - 2) / sizeMin));
    }
    return object(schema, properties(schema, resource), typeName);
  }

  private DeclaredType object(JsonNode schema, Map<String, JsonNode> properties, String typeName) {
    Set<String> required = new HashSet<>();
    for (JsonNode name : schema.path("required")) {
      required.add(name.asString(""));
    }
    var fields = new LinkedHashMap<String, Field>();
    long sizeMin = 2;
    for (Map.Entry<String, JsonNode> property : properties.entrySet()) {
      JsonNode propertySchema = property.getValue();
      String escaped = plainNames ? property.getKey() : FieldNames.escaped(property.getKey());
      DeclaredType type =
          of(
              propertySchema,
              isEmbedded(propertySchema),
              typeName + "." + (escaped == null ? property.getKey() : escaped));
      if (type == null) {
        continue;
      }
      if (escaped != null) {
        fields.put(escaped, new Field(property.getKey(), type));
      }
      if (required.contains(property.getKey()) && !propertySchema.has("default")) {
        sizeMin += property.getKey().length() + type.serializedSizeMin() + 4;
      }
    }
    ImmutableMap.Builder<String, CelType> types = ImmutableMap.builder();
    fields.forEach((name, field) -> types.put(name, field.type().celType()));
    ImmutableMap<String, CelType> known = types.buildOrThrow();
    StructType struct =
        StructType.create(typeName, known.keySet(), name -> Optional.ofNullable(known.get(name)));
    objects.put(typeName, struct);
    return DeclaredType.object(struct, sizeMin, fields);
  }

  /** A resource's kind and name are known even where its schema does not speak of them. */
  private static Map<String, JsonNode> properties(JsonNode schema, boolean resource) {
    var properties = new LinkedHashMap<String, JsonNode>();
    for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
      properties.put(property.getKey(), property.getValue());
    }
    if (resource && !knowsItsName(properties)) {
      JsonNodeFactory nodes = JsonNodeFactory.instance;
      ObjectNode text = nodes.objectNode().put("type", "string");
      ObjectNode metadata = nodes.objectNode().put("type", "object");
      metadata.putObject("properties").set("name", text).set("generateName", text);
      properties.put("kind", text);
      properties.put("apiVersion", text);
      properties.put("metadata", metadata);
    }
    return properties;
  }

  private static boolean knowsItsName(Map<String, JsonNode> properties) {
    JsonNode metadata = properties.get("metadata");
    return isOfType(properties.get("kind"), "string")
        && isOfType(properties.get("apiVersion"), "string")
        && isOfType(metadata, "object")
        && metadata != null
        && isOfType(metadata.path("properties").get("name"), "string")
        && isOfType(metadata.path("properties").get("generateName"), "string");
  }

  private static boolean isOfType(@Nullable JsonNode schema, String type) {
    return schema != null && schema.path("type").asString("").equals(type);
  }

  private static DeclaredType string(JsonNode schema) {
    return switch (schema.path("format").asString("")) {
      case "byte" -> {
        long length = limit(schema, "maxLength", REQUEST_BYTES_MAX - 2);
        yield DeclaredType.scalar(Kind.BYTES, SimpleType.BYTES, length, STRING_SIZE_MIN);
      }
      case "duration" ->
          DeclaredType.scalar(
              Kind.DURATION, SimpleType.DURATION, TIME_LENGTH_MAX, DURATION_SIZE_MIN);
      case "date" -> DeclaredType.scalar(Kind.DATE, SimpleType.TIMESTAMP, DATE_SIZE, DATE_SIZE);
      case "date-time" ->
          DeclaredType.scalar(
              Kind.TIMESTAMP, SimpleType.TIMESTAMP, TIME_LENGTH_MAX, TIMESTAMP_SIZE_MIN);
      default ->
          DeclaredType.scalar(
              Kind.STRING, SimpleType.STRING, stringLengthMax(schema), STRING_SIZE_MIN);
    };
  }

  private static long stringLengthMax(JsonNode schema) {
    if (schema.has("maxLength")) {
      // The limit counts characters, and one of them can take four bytes.
      return limit(schema, "maxLength", 0) * 4;
    }
    long longest = 0;
    for (JsonNode value : schema.path("enum")) {
      longest = Math.max(longest, value.asString("").length());
    }
    return schema.path("enum").isEmpty() ? REQUEST_BYTES_MAX - 2 : longest;
  }

  private static long limit(JsonNode schema, String name, long otherwise) {
    JsonNode limit = schema.get(name);
    return limit == null ? otherwise : Math.clamp(limit.asLong(otherwise), 0, Integer.MAX_VALUE);
  }

  private static boolean isEmbedded(JsonNode schema) {
    return schema.path("x-kubernetes-embedded-resource").asBoolean(false);
  }
}
