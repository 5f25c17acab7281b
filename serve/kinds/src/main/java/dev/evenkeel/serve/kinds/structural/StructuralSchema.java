package dev.evenkeel.serve.kinds.structural;

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

  /** Null until first needed: most kinds are never written to. Two threads may make the same. */
  private volatile @Nullable RuleTree rules;

  private StructuralSchema(JsonNode written, Node root) {
    this.written = written;
    this.root = root;
  }

  /**
   * Compiles a schema; of no use if there were problems.
   *
   * @param path where it stands, for the problems
   */
  public static StructuralSchema read(JsonNode schema, String path, Problems problems) {
    return new StructuralSchema(schema, NodeReader.read(schema, path, problems));
  }

  /**
   * Adds what is wrong with the rules in CEL.
   *
   * @param path where the schema stands
   */
  public void checkRules(String path, Problems problems) {
    rules = RuleReader.read(written, root, path, problems);
  }

  /** Drops unknown fields; tells them as {@code unknown field "spec.foo"}. */
  public List<String> prune(ObjectNode object) {
    return Pruning.root(object, root);
  }

  public void applyDefaults(ObjectNode object) {
    Defaulting.apply(object, root);
  }

  /** The type at a path of plain fields; empty if there is none. */
  public String typeAt(List<String> path) {
    Node here = root;
    for (String field : path) {
      Node next = here.properties().get(field);
      if (next == null) {
        return "";
      }
      here = next;
    }
    return here.type();
  }

  public void validate(ObjectNode object, Problems problems) {
    Validation.root(object, root, problems);
  }

  /**
   * Holds an object that is valid otherwise against the rules in CEL.
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
