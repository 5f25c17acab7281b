package dev.evenkeel.kernel.define;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.quantity.Quantity;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the CustomResourceDefinition of a record that is a {@link CustomKind}.
 *
 * <p>Records become objects, lists and sets arrays, maps with string keys objects with values of
 * one type, enums strings of their names. {@link Instant} is a date-time, {@link Duration} a string
 * such as {@code 1h30m}, {@link Quantity} a number or a string, {@link JsonNode} whatever stands
 * there. A component that is not {@code @Nullable}, no {@link Optional} and without a default is
 * required; {@code status} never is.
 */
public final class CustomDefinition {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int DEPTH_MAX = 32;

  private final ObjectNode version = NODES.objectNode();
  private final Deque<Class<?>> open = new ArrayDeque<>();

  private CustomDefinition() {}

  /**
   * The definition, ready to be applied.
   *
   * @throws IllegalArgumentException if the record cannot be described; the message says where
   */
  public static ObjectNode of(Class<? extends Record> type) {
    CustomKind kind = type.getAnnotation(CustomKind.class);
    if (kind == null) {
      throw new IllegalArgumentException(type.getName() + " is not annotated as a @CustomKind");
    }
    return new CustomDefinition().make(type, kind);
  }

  private ObjectNode make(Class<? extends Record> type, CustomKind kind) {
    String kindName = kind.kind().isEmpty() ? type.getSimpleName() : kind.kind();
    String singular = kindName.toLowerCase(Locale.ROOT);
    String plural = kind.plural().isEmpty() ? singular + "s" : kind.plural();
    ObjectNode definition =
        NODES
            .objectNode()
            .put("apiVersion", "apiextensions.k8s.io/v1")
            .put("kind", "CustomResourceDefinition");
    definition.putObject("metadata").put("name", plural + "." + kind.group());
    ObjectNode spec = definition.putObject("spec");
    spec.put("group", kind.group());
    spec.put("scope", kind.namespaced() ? "Namespaced" : "Cluster");
    ObjectNode names = spec.putObject("names");
    names.put("kind", kindName).put("listKind", kindName + "List");
    names.put("plural", plural).put("singular", singular);
    texts(names, "shortNames", kind.shortNames());
    texts(names, "categories", kind.categories());
    version.put("name", kind.version()).put("served", true).put("storage", true);
    ObjectNode schema = record(type, "");
    version.putObject("schema").set("openAPIV3Schema", schema);
    subresources(kind, schema);
    if (version.path("additionalPrinterColumns").size() > 0) {
      column("Age", "date", ".metadata.creationTimestamp", "", 0);
    }
    spec.putArray("versions").add(version);
    return definition;
  }

  private void subresources(CustomKind kind, ObjectNode schema) {
    ObjectNode subresources = NODES.objectNode();
    if (schema.path("properties").has("status")) {
      subresources.putObject("status");
    }
    if (!kind.replicas().isEmpty()) {
      subresources
          .putObject("scale")
          .put("specReplicasPath", "." + kind.replicas())
          .put("statusReplicasPath", "." + kind.statusReplicas());
    }
    if (!subresources.isEmpty()) {
      version.set("subresources", subresources);
    }
  }

  private static void texts(ObjectNode json, String name, String[] texts) {
    if (texts.length > 0) {
      ArrayNode all = json.putArray(name);
      for (String text : texts) {
        all.add(text);
      }
    }
  }

  // ---- records

  private ObjectNode record(Class<?> type, String path) {
    if (open.contains(type) || open.size() > DEPTH_MAX) {
      throw wrong(path, type.getSimpleName() + " contains itself, which no schema can say");
    }
    open.push(type);
    ObjectNode schema = NODES.objectNode().put("type", "object");
    describe(schema, type);
    ObjectNode properties = NODES.objectNode();
    ArrayNode required = NODES.arrayNode();
    for (RecordComponent component : type.getRecordComponents()) {
      String name = component.getName();
      if (path.isEmpty() && Set.of("apiVersion", "kind", "metadata").contains(name)) {
        continue;
      }
      ObjectNode property = component(component, path + "." + name);
      properties.set(name, property);
      boolean optional =
          isOptional(component)
              || property.has("default")
              || (path.isEmpty() && name.equals("status"));
      if (!optional) {
        required.add(name);
      }
    }
    if (!properties.isEmpty()) {
      schema.set("properties", properties);
    }
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
    rules(schema, type);
    open.pop();
    return schema;
  }

  private static boolean isOptional(RecordComponent component) {
    return component.getType() == Optional.class
        || component.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private ObjectNode component(RecordComponent component, String path) {
    Type type = component.getGenericType();
    if (component.getType() == Optional.class) {
      type = argument(type, 0, path);
    }
    ObjectNode schema = schema(type, path);
    describe(schema, component);
    Limits limits = component.getAnnotation(Limits.class);
    if (limits != null) {
      limits(schema, limits, path);
    }
    rules(schema, component);
    Column column = component.getAnnotation(Column.class);
    if (column != null) {
      String head = column.value().isEmpty() ? capital(component.getName()) : column.value();
      column(
          head,
          columnType(schema),
          path,
          schema.path("description").asString(""),
          column.priority());
    }
    return schema;
  }

  private static String capital(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  private static String columnType(ObjectNode schema) {
    String type = schema.path("type").asString("string");
    return schema.path("format").asString("").equals("date-time")
        ? "date"
        : type.equals("object") || type.equals("array") ? "string" : type;
  }

  private void column(String name, String type, String path, String description, int priority) {
    ObjectNode column = version.withArray("additionalPrinterColumns").addObject();
    column.put("name", name).put("type", type).put("jsonPath", path);
    if (!description.isEmpty()) {
      column.put("description", description);
    }
    if (priority > 0) {
      column.put("priority", priority);
    }
  }

  private static void describe(ObjectNode schema, AnnotatedElement element) {
    Doc doc = element.getAnnotation(Doc.class);
    if (doc != null) {
      schema.put("description", doc.value());
    }
  }

  private static void rules(ObjectNode schema, AnnotatedElement element) {
    for (Rule rule : element.getAnnotationsByType(Rule.class)) {
      ObjectNode json = schema.withArray("x-kubernetes-validations").addObject();
      json.put("rule", rule.value());
      if (!rule.message().isEmpty()) {
        json.put("message", rule.message());
      }
    }
  }

  private void limits(ObjectNode schema, Limits limits, String path) {
    String type = schema.path("type").asString("");
    String suffix =
        switch (type) {
          case "string" -> "Length";
          case "array" -> "Items";
          case "object" -> "Properties";
          default -> "";
        };
    if (limits.min() != Long.MIN_VALUE) {
      schema.put(suffix.isEmpty() ? "minimum" : "min" + suffix, limits.min());
    }
    if (limits.max() != Long.MAX_VALUE) {
      schema.put(suffix.isEmpty() ? "maximum" : "max" + suffix, limits.max());
    }
    if (!limits.pattern().isEmpty()) {
      schema.put("pattern", limits.pattern());
    }
    if (!limits.defaultValue().isEmpty()) {
      schema.set("default", defaultValue(limits.defaultValue(), type, path));
    }
    if (limits.keys().length > 0) {
      schema.put("x-kubernetes-list-type", "map");
      texts(schema, "x-kubernetes-list-map-keys", limits.keys());
    }
    if (limits.selectable()) {
      version.withArray("selectableFields").addObject().put("jsonPath", path);
    }
  }

  private static JsonNode defaultValue(String text, String type, String path) {
    if (type.equals("string")) {
      return NODES.stringNode(text);
    }
    try {
      return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (JsonException e) {
      throw wrong(path, "its default is no JSON: " + e.getMessage());
    }
  }

  // ---- values

  private ObjectNode schema(Type type, String path) {
    if (type instanceof Class<?> plain) {
      return plain(plain, path);
    }
    if (type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
      if (Collection.class.isAssignableFrom(raw)) {
        ObjectNode schema = typed("array");
        schema.set("items", schema(argument(type, 0, path), path + "[*]"));
        if (Set.class.isAssignableFrom(raw)) {
          schema.put("x-kubernetes-list-type", "set");
        }
        return schema;
      }
      if (Map.class.isAssignableFrom(raw)) {
        if (argument(type, 0, path) != String.class) {
          throw wrong(path, "the keys of a map must be strings");
        }
        ObjectNode schema = typed("object");
        schema.set("additionalProperties", schema(argument(type, 1, path), path + "[*]"));
        return schema;
      }
    }
    throw wrong(path, type.getTypeName() + " cannot be described");
  }

  private ObjectNode plain(Class<?> type, String path) {
    if (type.isRecord()) {
      return record(type, path);
    }
    if (type.isEnum()) {
      ObjectNode schema = typed("string");
      ArrayNode choices = schema.putArray("enum");
      for (Object choice : type.getEnumConstants()) {
        choices.add(((Enum<?>) choice).name());
      }
      return schema;
    }
    if (JsonNode.class.isAssignableFrom(type)) {
      ObjectNode schema = NODES.objectNode();
      if (type == ObjectNode.class) {
        schema.put("type", "object");
      }
      return schema.put("x-kubernetes-preserve-unknown-fields", true);
    }
    return switch (type.getName()) {
      case "java.lang.String" -> typed("string");
      case "int", "java.lang.Integer", "short", "java.lang.Short" ->
          typed("integer").put("format", "int32");
      case "long", "java.lang.Long" -> typed("integer").put("format", "int64");
      case "double", "java.lang.Double", "float", "java.lang.Float" -> typed("number");
      case "boolean", "java.lang.Boolean" -> typed("boolean");
      case "java.time.Instant" -> typed("string").put("format", "date-time");
      case "java.time.Duration" -> typed("string").put("format", "duration");
      default -> {
        if (type == Quantity.class) {
          ObjectNode schema = NODES.objectNode().put("x-kubernetes-int-or-string", true);
          ArrayNode either = schema.putArray("anyOf");
          either.addObject().put("type", "integer");
          either.addObject().put("type", "string");
          yield schema;
        }
        throw wrong(path, type.getName() + " cannot be described");
      }
    };
  }

  private static ObjectNode typed(String type) {
    return NODES.objectNode().put("type", type);
  }

  private static Type argument(Type type, int index, String path) {
    if (type instanceof ParameterizedType generic) {
      return generic.getActualTypeArguments()[index];
    }
    throw wrong(path, "its type needs arguments, as in List<String>");
  }

  private static IllegalArgumentException wrong(String path, String why) {
    return new IllegalArgumentException(
        (path.isEmpty() ? "the record" : path.substring(1)) + ": " + why);
  }
}
