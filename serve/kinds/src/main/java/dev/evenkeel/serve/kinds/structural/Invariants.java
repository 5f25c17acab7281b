package dev.evenkeel.serve.kinds.structural;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.rules.check.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a schema says of values by the server's own words: embedded objects, sets and maps. */
final class Invariants {

  private Invariants() {}

  /** Whether anything in a schema is an embedded object. */
  static boolean hasEmbedded(Node schema) {
    return schema.embedded() || insides(schema).stream().anyMatch(Invariants::hasEmbedded);
  }

  /** Whether anything in a schema is a list whose items are told apart. */
  static boolean hasKeyedLists(Node schema) {
    return isKeyed(schema) || insides(schema).stream().anyMatch(Invariants::hasKeyedLists);
  }

  private static List<Node> insides(Node schema) {
    List<Node> insides = new ArrayList<>(schema.properties().values());
    if (schema.items() != null) {
      insides.add(schema.items());
    }
    if (schema.additional() != null) {
      insides.add(schema.additional());
    }
    return insides;
  }

  private static boolean isKeyed(Node schema) {
    return schema.listType() == Schema.ListType.SET || schema.listType() == Schema.ListType.MAP;
  }

  /** What embedded objects must have. */
  static void embedded(JsonNode value, Node schema, String path, Problems problems) {
    switch (value) {
      case ObjectNode object -> {
        if (schema.embedded()) {
          typeOf(object, path, problems);
        }
        for (Map.Entry<String, JsonNode> field : object.properties()) {
          Node known = schema.at(field.getKey());
          if (known != null) {
            embedded(field.getValue(), known, child(schema, path, field.getKey()), problems);
          }
        }
      }
      case ArrayNode array -> {
        if (schema.items() != null) {
          for (int i = 0; i < array.size(); i++) {
            embedded(array.get(i), schema.items(), path + "[" + i + "]", problems);
          }
        }
      }
      default -> {}
    }
  }

  private static void typeOf(ObjectNode object, String path, Problems problems) {
    for (String name : List.of("apiVersion", "kind")) {
      JsonNode value = object.path(name);
      String place = path + "." + name;
      if (value.isMissingNode()) {
        problems.required(place, "");
      } else if (!value.isString()) {
        problems.invalid(place, value, "must be a string");
      } else if (value.stringValue().isEmpty()) {
        problems.invalid(place, "", "must not be empty");
      } else if (name.equals("apiVersion")) {
        String text = value.stringValue();
        if (text.indexOf('/') != text.lastIndexOf('/')) {
          problems.invalid(place, text, "unexpected GroupVersion string: " + text);
        }
      } else {
        List<String> faults = Names.dns1035Label(value.stringValue().toLowerCase(Locale.ROOT));
        if (!faults.isEmpty()) {
          problems.invalid(
              place,
              value,
              "may have mixed case, but should otherwise match: " + String.join(",", faults));
        }
      }
    }
  }

  /** Items of a set are told apart by their value, those of a map by their keys. */
  static void keyedLists(JsonNode value, Node schema, String path, Problems problems) {
    switch (value) {
      case ObjectNode object -> {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
          Node known = schema.at(field.getKey());
          if (known != null) {
            keyedLists(field.getValue(), known, child(schema, path, field.getKey()), problems);
          }
        }
      }
      case ArrayNode array -> {
        if (schema.listType() == Schema.ListType.SET) {
          unique(array, path, problems);
        } else if (schema.listType() == Schema.ListType.MAP) {
          keyed(array, schema, path, problems);
        }
        if (schema.items() != null) {
          for (int i = 0; i < array.size(); i++) {
            keyedLists(array.get(i), schema.items(), path + "[" + i + "]", problems);
          }
        }
      }
      default -> {}
    }
  }

  private static void keyed(ArrayNode array, Node schema, String path, Problems problems) {
    ArrayNode keys = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < array.size(); i++) {
      JsonNode item = array.get(i);
      if (!item.isObject() && !item.isNull()) {
        problems.invalid(
            path + "[" + i + "]", item, "must be an object for an array of list-type map");
        return;
      }
      ObjectNode key = keys.addObject();
      for (String name : schema.listKeys()) {
        if (item.has(name)) {
          key.set(name, item.path(name));
        }
      }
    }
    unique(keys, path, problems);
  }

  /** Of what is there several times, the second is told. */
  private static void unique(ArrayNode values, String path, Problems problems) {
    Map<JsonNode, Integer> seen = new HashMap<>();
    for (int i = 0; i < values.size(); i++) {
      if (seen.merge(values.get(i), 1, Integer::sum) == 2) {
        problems.duplicate(path + "[" + i + "]", values.get(i));
      }
    }
  }

  private static String child(Node schema, String path, String field) {
    if (!schema.properties().containsKey(field)) {
      return path + "[" + field + "]";
    }
    return path.isEmpty() ? field : path + "." + field;
  }
}
