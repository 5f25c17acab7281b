package dev.evenkeel.serve.kinds.rules;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Checks;
import dev.evenkeel.kernel.schema.Defaults;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Shape;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.cases.Case;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A case of {@code rules/*.yaml}: a base, which is a sound object, and what is different.
 *
 * <ul>
 *   <li>{@code base}: the name of an object in {@code bases.yaml};
 *   <li>{@code set}, {@code remove}: changes to it, by JSON pointers; {@code -} adds to a list;
 *   <li>{@code do}: what happens to it: {@code check} (unless said), {@code default}, {@code
 *       create}, {@code update} (of the base), {@code status} (of the base's), or a subresource;
 *   <li>{@code errors}: all that is wrong then; {@code becomes}: what is where then; {@code warns}.
 * </ul>
 */
record RuleCase(Case written) {

  private static final Map<String, ObjectNode> BASES = new HashMap<>();

  static {
    for (Case base : Case.in("/rules/bases.yaml")) {
      BASES.put(base.title(), base.object());
    }
  }

  static Map<String, ObjectNode> bases() {
    return BASES;
  }

  String title() {
    return Meta.text(written.content().path("base")) + ": " + written.title();
  }

  ObjectNode base() {
    String name = Meta.text(written.content().path("base"));
    ObjectNode base = BASES.get(name);
    if (base == null) {
      throw new IllegalArgumentException("no base " + name);
    }
    return base.deepCopy();
  }

  ObjectNode object() {
    ObjectNode object = base();
    written
        .content()
        .path("set")
        .forEachEntry((pointer, value) -> set(object, pointer, value.deepCopy()));
    for (String pointer : written.texts("remove")) {
      remove(object, pointer);
    }
    return object;
  }

  String action() {
    String action = Meta.text(written.content().path("do"));
    return action.isEmpty() ? "check" : action;
  }

  List<String> errors() {
    return written.texts("errors");
  }

  JsonNode becomes() {
    return written.content().path("becomes");
  }

  List<String> warns() {
    return written.texts("warns");
  }

  /** What is wrong, and what became of the object. */
  record Outcome(ObjectNode object, List<String> errors, List<String> warnings) {}

  /** The way of an object through the server, but for its metadata. */
  Outcome run() {
    ObjectNode object = shaped(object());
    ResourceDefinition definition = definition(object);
    KindRules rules = definition.rules();
    var problems = new Problems();
    switch (action()) {
      case "default" -> defaults(object, definition);
      case "check", "create" -> {
        defaults(object, definition);
        if (action().equals("create")) {
          rules.prepareForCreate(object);
        }
        Checks.validate(object, definition.schema(), problems);
        rules.validate(object, problems);
        rules.validateCreate(object, problems);
      }
      case "update" -> {
        ObjectNode old = shaped(base());
        defaults(object, definition);
        defaults(old, definition);
        rules.prepareForUpdate(object, old);
        Checks.validate(object, definition.schema(), problems);
        rules.validate(object, problems);
        rules.validateUpdate(object, old, problems);
      }
      case "status" -> rules.validateStatusUpdate(object, shaped(base()), problems);
      default -> rules.validateSubresourceUpdate(action(), object, shaped(base()), problems);
    }
    return new Outcome(
        object,
        problems.errors().stream().map(FieldError::toString).toList(),
        rules.warnings(object));
  }

  static ResourceDefinition definition(ObjectNode object) {
    Gvk gvk = Case.gvkOf(object);
    return Catalog.builtIn().stream()
        .filter(definition -> definition.gvk().equals(gvk))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no kind " + gvk));
  }

  /** The object as the server reads it: cases may not name fields that are none. */
  static ObjectNode shaped(ObjectNode object) {
    Shape.Report report = Shape.apply(object, definition(object).schema());
    if (!report.unknownFields().isEmpty() || !report.typeErrors().isEmpty()) {
      throw new IllegalArgumentException(report.toString());
    }
    return object;
  }

  static void defaults(ObjectNode object, ResourceDefinition definition) {
    Defaults.apply(object, definition.schema());
    definition.rules().applyDefaults(object);
  }

  private static void set(ObjectNode object, String pointer, JsonNode value) {
    JsonPointer path = JsonPointer.compile(pointer);
    String last = path.last().getMatchingProperty();
    JsonNode parent = parent(object, path);
    if (parent instanceof ArrayNode array) {
      if (last.equals("-") || last.equals(Integer.toString(array.size()))) {
        array.add(value);
      } else {
        array.set(Integer.parseInt(last), value);
      }
    } else {
      ((ObjectNode) parent).set(last, value);
    }
  }

  /** The container of what the pointer leads to, made of objects where there was nothing. */
  private static JsonNode parent(ObjectNode object, JsonPointer path) {
    JsonNode here = object;
    for (JsonPointer at = path; !at.tail().matches(); at = at.tail()) {
      JsonNode next =
          here.isArray() ? here.path(at.getMatchingIndex()) : here.path(at.getMatchingProperty());
      if (!next.isContainer()) {
        next = ((ObjectNode) here).putObject(at.getMatchingProperty());
      }
      here = next;
    }
    return here;
  }

  private static void remove(ObjectNode object, String pointer) {
    JsonPointer path = JsonPointer.compile(pointer);
    JsonNode parent = parent(object, path);
    if (parent instanceof ArrayNode array) {
      array.remove(path.last().getMatchingIndex());
    } else {
      ((ObjectNode) parent).remove(path.last().getMatchingProperty());
    }
  }
}
