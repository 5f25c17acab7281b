package dev.evenkeel.kernel.fuzz;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes trees of bytes: every byte is a choice, after the last all choices are the first. Most
 * values fit their field, one in eight does not.
 */
final class TreeScript {

  /** Of a type that contains itself in every way that ownership knows. */
  static final Schema.Struct OWNED = owned("Item");

  /** Of a type that contains itself in every way that a strategic merge patch knows. */
  static final Schema.Struct ITEM = item("Item");

  private static final int DEPTH_MAX = 6;

  private static final List<String> FIELDS =
      List.of("name", "value", "child", "map", "list", "items", "words", "any", "other", "whole");

  private static final List<String> DIRECTIVES =
      List.of(
          "$patch",
          "$retainKeys",
          "$setElementOrder/items",
          "$setElementOrder/words",
          "$deleteFromPrimitiveList/words",
          "$setElementOrder/other",
          "$deleteFromPrimitiveList",
          "$setElementOrder");

  private static final List<String> WORDS =
      List.of("a", "b", "c", "d", "", "name", "items", "words", "delete", "replace", "merge");

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final byte[] script;
  private int next;

  TreeScript(byte[] script) {
    this.script = script;
  }

  private static Schema.Struct item(String name) {
    Schema.Struct item = new Schema.Struct(name, false);
    add(item, "name", Schema.Scalar.STRING, MergeStrategy.REPLACE);
    add(item, "value", Schema.Scalar.STRING, MergeStrategy.REPLACE);
    add(item, "child", item, new MergeStrategy(false, true, null));
    add(item, "map", new Schema.MapOf(item), MergeStrategy.REPLACE);
    add(item, "list", list(item), MergeStrategy.REPLACE);
    add(item, "items", list(item), new MergeStrategy(true, true, "name"));
    add(item, "words", list(Schema.Scalar.STRING), new MergeStrategy(true, false, null));
    add(item, "any", Schema.Scalar.ANY, MergeStrategy.REPLACE);
    add(item, "whole", item, MergeStrategy.REPLACE_WHOLE);
    return item;
  }

  private static Schema.Struct owned(String name) {
    Schema.Struct item = new Schema.Struct(name, false);
    add(item, "name", Schema.Scalar.STRING, MergeStrategy.REPLACE);
    add(item, "value", Schema.Scalar.STRING, MergeStrategy.REPLACE);
    add(item, "child", item, MergeStrategy.REPLACE);
    add(item, "map", new Schema.MapOf(item), MergeStrategy.REPLACE);
    add(item, "list", list(item), MergeStrategy.REPLACE);
    add(
        item,
        "items",
        new Schema.ListOf(item, Schema.ListType.MAP, List.of("name")),
        MergeStrategy.REPLACE);
    add(
        item,
        "words",
        new Schema.ListOf(Schema.Scalar.STRING, Schema.ListType.SET, List.of()),
        MergeStrategy.REPLACE);
    add(item, "any", Schema.Scalar.ANY, MergeStrategy.REPLACE);
    return item;
  }

  private static Schema list(Schema items) {
    return new Schema.ListOf(items, Schema.ListType.ATOMIC, List.of());
  }

  private static void add(Schema.Struct struct, String name, Schema schema, MergeStrategy merge) {
    struct.add(new Field(name, schema, false, null, merge));
  }

  /** An object of the type, or a strategic merge patch for one. */
  ObjectNode item() {
    return item(0);
  }

  /** A tree that fits nothing in particular. */
  JsonNode any() {
    return any(0);
  }

  /** Operations that mostly are some, on paths that mostly lead somewhere. */
  JsonNode jsonPatch() {
    if (choice(16) == 15) {
      return any(0);
    }
    ArrayNode operations = NODES.arrayNode();
    int count = choice(8);
    for (int i = 0; i < count; i++) {
      ObjectNode operation = operations.addObject();
      List<String> kinds = List.of("add", "remove", "replace", "move", "copy", "test", "x");
      operation.put("op", kinds.get(choice(kinds.size()))).put("path", path()).put("from", path());
      operation.set("value", any(2));
    }
    return operations;
  }

  /** The object form of a label selector, more or less. */
  static JsonNode selector(byte[] bytes) {
    var script = new TreeScript(bytes);
    ObjectNode selector = NODES.objectNode();
    int labels = script.choice(4);
    ObjectNode matchLabels = selector.putObject("matchLabels");
    for (int i = 0; i < labels; i++) {
      matchLabels.set(script.word(), script.any(DEPTH_MAX));
    }
    ArrayNode expressions = selector.putArray("matchExpressions");
    int count = script.choice(4);
    for (int i = 0; i < count; i++) {
      List<String> operators = List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt");
      ObjectNode expression = expressions.addObject();
      expression.put("key", script.word());
      expression.put("operator", operators.get(script.choice(operators.size())));
      expression.set("values", script.words());
    }
    return selector;
  }

  /** Who owns what, more or less. */
  ArrayNode managers() {
    ArrayNode managers = NODES.arrayNode();
    int count = choice(4);
    for (int i = 0; i < count; i++) {
      ObjectNode entry = managers.addObject();
      entry.put("manager", word());
      entry.put("operation", choice(8) == 7 ? word() : choice(2) == 0 ? "Apply" : "Update");
      entry.put("apiVersion", choice(4) == 3 ? "v0" : "v1").put("fieldsType", "FieldsV1");
      entry.set("fieldsV1", choice(16) == 15 ? any(0) : fields(0));
    }
    return managers;
  }

  /** A set of fields of the type. */
  private ObjectNode fields(int depth) {
    ObjectNode fields = NODES.objectNode();
    int count = depth >= DEPTH_MAX ? 0 : choice(4);
    for (int i = 0; i < count; i++) {
      String element =
          switch (choice(8)) {
            case 0 -> ".";
            case 1 -> "k:{\"name\":\"" + word() + "\"}";
            case 2 -> "v:\"" + word() + "\"";
            case 3 -> "i:" + choice(3);
            case 4 -> word();
            default -> "f:" + pick(FIELDS);
          };
      fields.set(element, fields(depth + 1));
    }
    return fields;
  }

  private ObjectNode item(int depth) {
    ObjectNode item = NODES.objectNode();
    if (choice(8) != 7) {
      item.put("name", word());
    }
    int count = depth >= DEPTH_MAX ? 0 : choice(5);
    for (int i = 0; i < count; i++) {
      String name = choice(3) == 2 ? pick(DIRECTIVES) : pick(FIELDS);
      item.set(name, choice(8) == 7 ? any(depth + 1) : fitting(name, depth + 1));
    }
    return item;
  }

  private JsonNode fitting(String name, int depth) {
    return switch (name) {
      case "child", "whole" -> item(depth);
      case "map" -> NODES.objectNode().set(word(), item(depth));
      case "items", "list", "$setElementOrder/items" -> {
        ArrayNode items = NODES.arrayNode();
        int count = choice(4);
        for (int i = 0; i < count; i++) {
          items.add(item(depth));
        }
        yield items;
      }
      case "words",
          "$retainKeys",
          "$setElementOrder/words",
          "$deleteFromPrimitiveList/words",
          "$setElementOrder/other" ->
          words();
      case "any", "other" -> any(depth);
      default -> NODES.stringNode(word());
    };
  }

  private ArrayNode words() {
    ArrayNode words = NODES.arrayNode();
    int count = choice(4);
    for (int i = 0; i < count; i++) {
      words.add(word());
    }
    return words;
  }

  private JsonNode any(int depth) {
    return switch (choice(depth >= DEPTH_MAX ? 6 : 9)) {
      case 0 -> NODES.nullNode();
      case 1, 2 -> NODES.stringNode(word());
      case 3 -> NODES.numberNode((long) choice(3));
      case 4 -> NODES.numberNode(choice(3) / 2.0);
      case 5 -> NODES.booleanNode(choice(2) == 1);
      case 6 -> {
        ArrayNode array = NODES.arrayNode();
        int count = choice(4);
        for (int i = 0; i < count; i++) {
          array.add(any(depth + 1));
        }
        yield array;
      }
      default -> {
        ObjectNode object = NODES.objectNode();
        int count = choice(4);
        for (int i = 0; i < count; i++) {
          object.set(choice(2) == 1 ? word() : pick(FIELDS), any(depth + 1));
        }
        yield object;
      }
    };
  }

  private String path() {
    var path = new StringBuilder();
    int steps = choice(5);
    for (int i = 0; i < steps; i++) {
      List<String> odd = List.of("0", "1", "-", "-1", "~0~1", "");
      path.append('/').append(choice(3) == 2 ? pick(odd) : pick(FIELDS));
    }
    return path.toString();
  }

  private String word() {
    return pick(WORDS);
  }

  private String pick(List<String> list) {
    @Nullable String picked = list.get(choice(list.size()));
    return picked;
  }

  private int choice(int count) {
    return next < script.length ? (script[next++] & 0xff) % count : 0;
  }
}
