package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The fields that an object consists of: what whoever applies it owns. */
public final class ObjectFields {

  private ObjectFields() {}

  public static FieldSet of(ObjectNode object, Schema.Struct schema) {
    return map(object, schema);
  }

  private static FieldSet map(ObjectNode object, Schema schema) {
    var fields = new FieldSet.Builder();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      JsonNode value = entry.getValue();
      Field field = Types.field(schema, entry.getKey());
      Schema type = Types.member(schema, field);
      Types.Form form = Types.form(value, type, Types.memberAtomic(schema, field));
      // Declared fields are owned through what they hold, keys of maps also by themselves.
      boolean member =
          field == null || form == Types.Form.LEAF || (value.isObject() && value.isEmpty());
      fields.add(new PathElement.FieldName(entry.getKey()), member, below(value, type, form));
    }
    return fields.build();
  }

  private static FieldSet below(JsonNode value, Schema schema, Types.Form form) {
    return switch (form) {
      case LEAF -> FieldSet.EMPTY;
      case MAP -> map((ObjectNode) value, schema);
      case LIST -> list((ArrayNode) value, (Schema.ListOf) schema);
    };
  }

  private static FieldSet list(ArrayNode array, Schema.ListOf list) {
    var seen = new TreeSet<PathElement>();
    var twice = new TreeSet<PathElement>();
    for (JsonNode item : array) {
      PathElement element = Types.item(item, list);
      if (!seen.add(element)) {
        twice.add(element);
      }
    }
    var fields = new FieldSet.Builder();
    for (JsonNode item : array) {
      PathElement element = Types.item(item, list);
      Types.Form form = Types.form(item, list.items(), Types.itemAtomic(list.items()));
      fields.add(
          element,
          true,
          twice.contains(element) ? FieldSet.EMPTY : below(item, list.items(), form));
    }
    return fields.build();
  }
}
