package dev.evenkeel.serve.kinds.structural;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The schema of one version of a custom kind. Immutable, and for any thread. */
public final class StructuralSchema {

  private final JsonNode written;
  private final Node root;
  private final boolean embedded;
  private final boolean keyedLists;
  private final boolean hasRules;

  /** Null until first needed: most kinds are never written to. Two threads may make the same. */
  private volatile @Nullable RuleTree rules;

  private StructuralSchema(JsonNode written, Node root) {
    this.written = written;
    this.root = root;
    this.embedded = Invariants.hasEmbedded(root);
    this.keyedLists = Invariants.hasKeyedLists(root);
    this.hasRules = hasRules(root);
  }

  /**
   * Compiles a schema that was accepted.
   *
   * @throws IllegalArgumentException if it cannot be compiled
   */
  public static StructuralSchema compile(JsonNode schema) {
    var problems = new Problems();
    Node root = NodeReader.read(schema, "openAPIV3Schema", problems);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(problems.errors().getFirst().toString());
    }
    return new StructuralSchema(schema, root);
  }

  /**
   * Adds all that is wrong with a schema, its defaults and its rules.
   *
   * @param path where it stands, for the problems
   */
  public static void check(JsonNode schema, String path, Problems problems) {
    int before = problems.count();
    Node root = NodeReader.read(schema, path, problems);
    if (problems.count() > before) {
      return;
    }
    String unreadable = OpenApiChecks.unreadable(schema);
    boolean whole = unreadable == null && StructuralChecks.check(schema, path, problems);
    if (whole) {
      DefaultChecks.check(root, path, problems);
    }
    OpenApiChecks.check(schema, path, problems);
    if (problems.count() > before) {
      return;
    }
    if (unreadable != null) {
      problems.invalid(path, "", unreadable);
    } else {
      RuleReader.read(schema, root, path, problems);
    }
  }

  /** The formats of a schema that mean nothing to the server, one for each time they are named. */
  public static List<String> unknownFormats(JsonNode schema) {
    List<String> unknown = new ArrayList<>(0);
    unknownFormats(schema, unknown);
    return unknown;
  }

  private static void unknownFormats(JsonNode schema, List<String> unknown) {
    String format = Meta.text(schema.path("format"));
    if (!format.isEmpty() && !Formats.isKnown(format)) {
      unknown.add(format);
    }
    for (String one : List.of("items", "not", "additionalProperties")) {
      if (schema.path(one).isObject()) {
        unknownFormats(schema.path(one), unknown);
      }
    }
    for (String several : List.of("allOf", "anyOf", "oneOf", "properties")) {
      schema.path(several).forEach(inside -> unknownFormats(inside, unknown));
    }
  }

  private static boolean hasRules(Node node) {
    return !node.rules().isEmpty()
        || node.properties().values().stream().anyMatch(StructuralSchema::hasRules)
        || (node.items() != null && hasRules(node.items()))
        || (node.additional() != null && hasRules(node.additional()));
  }

  /** Drops unknown fields; tells them as {@code unknown field "spec.foo"}. */
  public List<String> prune(ObjectNode object) {
    return Pruning.root(object, root);
  }

  public void applyDefaults(ObjectNode object) {
    Defaulting.apply(object, root);
  }

  /**
   * The type of a field.
   *
   * @param path as {@code .spec.size}
   * @return empty if it has none
   * @throws IllegalArgumentException if there is no such field; the message says why
   */
  public static String typeAt(JsonNode schema, String path) {
    return Meta.text(FieldPath.of(path, schema, false).schema().path("type"));
  }

  /** Whether there are rules in CEL. */
  public boolean hasRules() {
    return hasRules;
  }

  /**
   * Holds an object against the schema.
   *
   * @param old what it replaces: what was wrong there and did not change is fine; null if it is new
   */
  public void validate(ObjectNode object, @Nullable ObjectNode old, Problems problems) {
    Validation.check(object, old, root, "", problems);
  }

  /** The same for its status alone, which a change of the status is about. */
  public void validateStatus(ObjectNode object, ObjectNode old, Problems problems) {
    Node schema = root.properties().get("status");
    if (schema != null && object.has("status")) {
      Validation.check(object.path("status"), old.get("status"), schema, "status", problems);
    }
  }

  /** Holds embedded objects, sets and maps against what the server means by the words. */
  public void validateInvariants(ObjectNode object, @Nullable ObjectNode old, Problems problems) {
    if (embedded) {
      Invariants.embedded(object, root, "", problems);
    }
    if (keyedLists) {
      var before = new Problems();
      if (old != null) {
        Invariants.keyedLists(old, root, "", before);
      }
      if (before.isEmpty()) {
        Invariants.keyedLists(object, root, "", problems);
      }
    }
  }

  /**
   * Holds an object whose values are what the schema says against the rules in CEL.
   *
   * @param old what it replaces, null if it is new
   */
  public void validateRules(ObjectNode object, @Nullable ObjectNode old, Problems problems) {
    RuleTree known = rules;
    if (known == null) {
      var found = new Problems();
      known = RuleReader.read(written, root, "the schema", found);
      if (!found.isEmpty()) {
        // Stored by another version of the server: a rule that cannot run must not seem to hold.
        found.errors().forEach(e -> problems.add(e.reason(), e.field(), e.message()));
        return;
      }
      rules = known;
    }
    known.validate(object, old, problems);
  }

  /**
   * The same schema as merges see it: what is an object, a map or a list, and who owns what in it.
   *
   * @param name of the type
   * @param traits of the type
   * @param given fields that are known apart from the schema, and come first
   */
  public Schema.Struct struct(String name, Schema.Struct.Traits traits, List<Field> given) {
    return new Schema.Struct(
        name,
        root.openEnded(),
        traits,
        () -> {
          List<Field> fields = new ArrayList<>(given);
          for (Field field : fields(root)) {
            if (given.stream().noneMatch(known -> known.name().equals(field.name()))) {
              fields.add(field);
            }
          }
          return fields;
        });
  }

  private static Collection<Field> fields(Node node) {
    List<Field> fields = new ArrayList<>();
    for (Map.Entry<String, Node> property : node.properties().entrySet()) {
      Node value = property.getValue();
      fields.add(
          new Field(
              property.getKey(),
              schema(value),
              node.limits().required().contains(property.getKey()),
              value.defaultValue(),
              MergeStrategy.REPLACE,
              value.atomic(),
              dev.evenkeel.kernel.schema.Limits.NONE,
              false));
    }
    return fields;
  }

  private static Schema schema(Node node) {
    Node items = node.items();
    if (node.type().equals("array") && items != null) {
      return new Schema.ListOf(schema(items), node.listType(), node.listKeys());
    }
    if (!node.type().equals("object")) {
      return Schema.Scalar.ANY;
    }
    Node values = node.additional();
    if (values != null) {
      return new Schema.MapOf(schema(values));
    }
    return new Schema.Struct(
        "",
        node.openEnded() || node.embedded(),
        new Schema.Struct.Traits(true, node.atomic()),
        () -> fields(node));
  }
}
