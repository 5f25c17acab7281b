package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds what a configuration would replace as a whole where its author may mean a part. */
final class Atomics {

  private final List<String> found = new ArrayList<>(0);
  private final List<PathElement> path = new ArrayList<>();

  private Atomics() {}

  /** The places of lists, maps and objects that are owned as one. */
  static List<String> in(ObjectNode configuration, Schema.Struct schema) {
    var atomics = new Atomics();
    atomics.map(configuration, schema);
    return atomics.found;
  }

  private void map(ObjectNode object, Schema schema) {
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      Field field = Types.field(schema, entry.getKey());
      if (field != null || schema instanceof Schema.MapOf) {
        value(
            new PathElement.FieldName(entry.getKey()),
            entry.getValue(),
            Types.member(schema, field),
            Types.memberAtomic(schema, field));
      }
    }
  }

  private void value(PathElement element, JsonNode value, Schema schema, boolean atomic) {
    path.add(element);
    if (value instanceof ObjectNode object && !(schema instanceof Schema.Scalar)) {
      if (atomic) {
        found.add(new FieldSet.Path(path).toString());
      }
      map(object, schema);
    } else if (value instanceof ArrayNode list && schema instanceof Schema.ListOf type) {
      if (atomic || type.type() == Schema.ListType.ATOMIC) {
        found.add(new FieldSet.Path(path).toString());
      }
      for (int i = 0; i < list.size(); i++) {
        value(new PathElement.Index(i), list.get(i), type.items(), Types.itemAtomic(type.items()));
      }
    }
    path.removeLast();
  }
}
