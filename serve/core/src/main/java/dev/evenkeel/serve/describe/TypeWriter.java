package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Published;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the types of a document: those that were asked for, and what they are made of.
 *
 * <p>Invariant: each type is written once, under its published name. Threading: owned by the
 * document's maker.
 */
final class TypeWriter {

  static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  private static final String VERBS = META + "APIResource.verbs";
  private static final String DETAILS = META + "Status.details";

  private static final String ANYTHING =
      "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Dialect dialect;
  private final Descriptions words;
  private final Form form;
  private final Set<String> elsewhere;
  private final Map<String, ObjectNode> written = new HashMap<>();
  private final Queue<Schema.Struct> waiting = new ArrayDeque<>();

  /** Which kinds of all groups a type is the type of. */
  private final Map<String, Set<Gvk>> sharedKinds = new HashMap<>();

  /** By which fields users said that objects of a type can be selected. */
  private final Map<String, List<String>> selectable = new HashMap<>();

  /** Which kinds a type is the type of. */
  private final Map<String, List<Gvk>> kinds = new HashMap<>();

  /**
   * @param elsewhere what is not to be written, because it already is
   */
  TypeWriter(Dialect dialect, Descriptions words, Form form, Set<String> elsewhere) {
    this.dialect = dialect;
    this.words = words;
    this.form = form;
    this.elsewhere = elsewhere;
  }

  /** The type of a kind's objects. */
  String kind(Gvk gvk, Schema.Struct type) {
    List<Gvk> known = kinds.computeIfAbsent(type.name(), _ -> new ArrayList<>());
    if (!known.contains(gvk)) {
      known.add(gvk);
    }
    return type(type);
  }

  String type(Schema.Struct type) {
    if (!written.containsKey(type.name()) && !elsewhere.contains(type.name())) {
      written.put(type.name(), NODES.objectNode());
      waiting.add(type);
    }
    return type.name();
  }

  /** A type that all groups share. */
  String shared(String shortName) {
    return named(META + shortName);
  }

  /** A type of the catalog, by its published name. */
  String named(String name) {
    Schema.Struct type = Catalog.type(name);
    if (type == null) {
      throw new IllegalStateException("the catalog lacks " + name);
    }
    return type(type);
  }

  /** A kind that all groups share, as one of this group and version. */
  String sharedKind(String shortName, Gvk of) {
    String name = shared(shortName);
    sharedKinds
        .computeIfAbsent(name, _ -> new LinkedHashSet<>())
        .add(new Gvk(of.group(), of.version(), shortName));
    return name;
  }

  /** What was said to be a kind that all groups share. */
  List<Gvk> sharedKinds() {
    return sharedKinds.values().stream().flatMap(Set::stream).toList();
  }

  /** The type of a list of the kind's objects. */
  String list(ResourceDefinition definition) {
    String item = definition.schema().name();
    String name = item.substring(0, item.lastIndexOf('.') + 1) + definition.names().listKind();
    if (written.containsKey(name)) {
      return name;
    }
    ObjectNode json = NODES.objectNode();
    json.put("description", "A list of " + definition.plural() + ".");
    json.putArray("required").add("items");
    ObjectNode properties = json.putObject("properties");
    properties.set("apiVersion", ownWords("apiVersion", text()));
    ObjectNode items = properties.putObject("items").put("type", "array");
    items.set("items", dialect.reference(kind(definition.gvk(), definition.schema())));
    properties.set("kind", ownWords("kind", text()));
    properties.set("metadata", dialect.reference(shared("ListMeta")));
    json.put("type", "object");
    Gvk gvk = definition.gvk();
    kinds(json, List.of(new Gvk(gvk.group(), gvk.version(), definition.names().listKind())));
    if (dialect == Dialect.V3
        && definition.rules().isCustom()
        && !definition.selectableFields().isEmpty()) {
      selectable.put(item, definition.selectableFields());
      selectable(json, item);
    }
    written.put(name, json);
    return name;
  }

  /** All types by name, encoded. */
  SortedMap<String, byte[]> finish() {
    SortedMap<String, byte[]> encoded = new TreeMap<>();
    Schema.Struct type;
    while ((type = waiting.poll()) != null) {
      encoded.put(type.name(), form.type(type.name(), written(type)));
    }
    written.forEach((name, json) -> encoded.computeIfAbsent(name, _ -> form.type(name, json)));
    return encoded;
  }

  private ObjectNode written(Schema.Struct type) {
    ObjectNode json = NODES.objectNode();
    List<Gvk> of = kinds.getOrDefault(type.name(), List.of());
    if (!of.isEmpty()) {
      json.put("description", words.ofKind(of.getFirst()));
    }
    if (type.published() instanceof ObjectNode published) {
      json.setAll(PublishedType.of(published, dialect, dialect.reference(shared("ObjectMeta"))));
    } else {
      struct(json, type, !of.isEmpty());
    }
    selectable(json, type.name());
    Collection<Gvk> all =
        of.isEmpty() ? PublishedGroups.of(sharedKinds.getOrDefault(type.name(), Set.of())) : of;
    if (!all.isEmpty()) {
      kinds(json, all);
    }
    return json;
  }

  private void selectable(ObjectNode json, String type) {
    List<String> paths = selectable.getOrDefault(type, List.of());
    if (!paths.isEmpty()) {
      ArrayNode listed = json.putArray("x-kubernetes-selectable-fields");
      paths.forEach(path -> listed.addObject().put("fieldPath", path));
    }
  }

  private void struct(ObjectNode json, Schema.Struct type, boolean isKind) {
    if (type.admitsOthers() && !type.keepsUnknown()) {
      // Not always an object: nothing true can be said of its fields.
      return;
    }
    Collection<Field> fields = type.fields().values();
    ArrayNode required = NODES.arrayNode();
    ObjectNode properties = NODES.objectNode();
    for (Field field : fields) {
      String said = words.ofField(type.name(), field.name());
      ObjectNode more = NODES.objectNode();
      ownership(more, type, field);
      properties.set(
          field.name(),
          property(
              field, said.isEmpty() && isKind ? Descriptions.ofField(field.name()) : said, more));
      if (field.required()) {
        required.add(field.name());
      }
    }
    if (!required.isEmpty()) {
      json.set("required", required);
    }
    if (!properties.isEmpty()) {
      json.set("properties", properties);
    }
    json.put("type", "object");
    if (type.atomic() && !type.keepsUnknown()) {
      json.put("x-kubernetes-map-type", "atomic");
    }
    if (!type.union().isEmpty()) {
      union(json, type.union());
    }
  }

  /** Says which field tells the others apart, and by which values: their names, as Go has them. */
  private static void union(ObjectNode json, List<String> fields) {
    ObjectNode union = json.putArray("x-kubernetes-unions").addObject();
    union.put("discriminator", fields.getFirst());
    ObjectNode byField = union.putObject("fields-to-discriminateBy");
    for (String field : fields.subList(1, fields.size())) {
      byField.put(field, OperationWords.capital(field));
    }
  }

  /** Says in a few words of ours what a field means that all kinds have. */
  private ObjectNode ownWords(String field, ObjectNode property) {
    return with(property, NODES.objectNode().put("description", Descriptions.ofField(field)));
  }

  /**
   * @param description empty if there is nothing to say
   * @param more what else is said of it
   */
  private ObjectNode property(Field field, String description, ObjectNode more) {
    if (!description.isEmpty()) {
      more.put("description", description);
    }
    Published published = field.published();
    if (dialect == Dialect.V3 && published.defaultValue()) {
      more.set("default", field.defaultValue());
    }
    merge(more, field.merge());
    ObjectNode value = value(field.schema());
    choices(
        switch (field.schema()) {
          case Schema.ListOf _ -> (ObjectNode) value.path("items");
          case Schema.MapOf _ -> (ObjectNode) value.path("additionalProperties");
          case Schema.Scalar _ -> more;
          case Schema.Struct _ -> more;
        },
        published.choices());
    return with(value, more);
  }

  private ObjectNode with(ObjectNode value, ObjectNode more) {
    String reference = value.path("$ref").stringValue("");
    if (reference.isEmpty()) {
      value.setAll(more);
      return value;
    }
    return dialect.reference(reference.substring(reference.lastIndexOf('/') + 1), more);
  }

  private static void choices(ObjectNode json, List<String> choices) {
    if (!choices.isEmpty()) {
      ArrayNode listed = json.putArray("enum");
      choices.stream().sorted().forEach(listed::add);
    }
  }

  /**
   * Nobody owns parts of what is never stored; that upstream says so, and of what, is by chance.
   */
  private static void ownership(ObjectNode json, Schema.Struct type, Field field) {
    switch (type.name() + "." + field.name()) {
      case VERBS -> {}
      case DETAILS -> json.put("x-kubernetes-list-type", "atomic");
      default -> ownership(json, field);
    }
  }

  private static void ownership(ObjectNode json, Field field) {
    switch (field.schema()) {
      case Schema.ListOf list -> {
        switch (list.type()) {
          case ATOMIC -> json.put("x-kubernetes-list-type", "atomic");
          case SET -> json.put("x-kubernetes-list-type", "set");
          case MAP -> {
            ArrayNode keys = json.putArray("x-kubernetes-list-map-keys");
            list.keys().forEach(keys::add);
            json.put("x-kubernetes-list-type", "map");
          }
        }
      }
      case Schema.MapOf _ -> {
        if (field.atomic() || field.published().granular()) {
          json.put("x-kubernetes-map-type", field.atomic() ? "atomic" : "granular");
        }
      }
      case Schema.Struct struct -> {
        if (field.atomic() != struct.atomic()) {
          json.put("x-kubernetes-map-type", field.atomic() ? "atomic" : "granular");
        }
      }
      case Schema.Scalar _ -> {
        // Bytes are a list to Kubernetes' own types, and some of them say so.
        if (field.atomic()) {
          json.put("x-kubernetes-list-type", "atomic");
        }
      }
    }
  }

  private static void merge(ObjectNode json, MergeStrategy strategy) {
    if (strategy.key() != null) {
      json.put("x-kubernetes-patch-merge-key", strategy.key());
    }
    String words =
        strategy.merge() && strategy.retainKeys()
            ? "merge,retainKeys"
            : strategy.merge()
                ? "merge"
                : strategy.retainKeys() ? "retainKeys" : strategy.replacesObject() ? "replace" : "";
    if (!words.isEmpty()) {
      json.put("x-kubernetes-patch-strategy", words);
    }
  }

  private ObjectNode value(Schema schema) {
    return switch (schema) {
      case Schema.Struct struct -> {
        if (struct.name().isEmpty()) {
          ObjectNode inPlace = NODES.objectNode();
          struct(inPlace, struct, false);
          yield inPlace;
        }
        yield dialect.reference(type(struct));
      }
      case Schema.MapOf map -> {
        ObjectNode json = NODES.objectNode().put("type", "object");
        json.set("additionalProperties", value(map.values()));
        yield json;
      }
      case Schema.ListOf list -> {
        ObjectNode json = NODES.objectNode().put("type", "array");
        json.set("items", value(list.items()));
        yield json;
      }
      case Schema.Scalar scalar -> scalar(scalar);
    };
  }

  private ObjectNode scalar(Schema.Scalar scalar) {
    return switch (scalar) {
      case STRING -> text();
      case INT32 -> typed("integer", "int32");
      case INT64 -> typed("integer", "int64");
      case DOUBLE -> typed("number", "double");
      case BOOLEAN -> NODES.objectNode().put("type", "boolean");
      case BYTES -> typed("string", "byte");
      case TIME -> named(META + "Time", typed("string", "date-time"));
      case MICRO_TIME -> named(META + "MicroTime", typed("string", "date-time"));
      case QUANTITY ->
          named(
              "io.k8s.apimachinery.pkg.api.resource.Quantity",
              dialect == Dialect.V2 ? text() : oneOf("string", "number"));
      case INT_OR_STRING ->
          named(
              "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
              (dialect == Dialect.V2 ? text() : oneOf("integer", "string"))
                  .put("format", "int-or-string"));
      // Only the schemas of custom kinds have such fields, and there it has a name.
      case ANY -> named(ANYTHING, NODES.objectNode());
    };
  }

  private ObjectNode named(String name, ObjectNode type) {
    if (!elsewhere.contains(name)) {
      written.putIfAbsent(name, type);
    }
    return dialect.reference(name);
  }

  private static ObjectNode text() {
    return NODES.objectNode().put("type", "string");
  }

  private static ObjectNode typed(String type, String format) {
    return NODES.objectNode().put("type", type).put("format", format);
  }

  private static ObjectNode oneOf(String... types) {
    ObjectNode json = NODES.objectNode();
    ArrayNode choices = json.putArray("oneOf");
    for (String type : types) {
      choices.addObject().put("type", type);
    }
    return json;
  }

  private static void kinds(ObjectNode json, Collection<Gvk> of) {
    ArrayNode all = json.putArray("x-kubernetes-group-version-kind");
    for (Gvk gvk : of) {
      all.add(kindReference(gvk));
    }
  }

  static ObjectNode kindReference(Gvk gvk) {
    return NODES
        .objectNode()
        .put("group", gvk.group())
        .put("kind", gvk.kind())
        .put("version", gvk.version());
  }
}
