package dev.evenkeel.serve.ownership;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.apply.ConflictException;
import dev.evenkeel.kernel.apply.FieldSet;
import dev.evenkeel.kernel.apply.TypeCheck;
import dev.evenkeel.kernel.apply.TypeException;
import dev.evenkeel.kernel.apply.Updater;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.schema.Shape;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Configuration;
import dev.evenkeel.serve.resource.Served;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The annotation in which kubectl keeps what it applied without the server's help. Who goes from
 * that to server-side apply must not conflict with himself, and may go back.
 */
final class LastApplied {

  private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

  /** Only for kubectl under its own name: who gives another wants none of this. */
  private static final String KUBECTL = "kubectl";

  private static final int ANNOTATIONS_BYTES_MAX = 256 * 1024;

  private LastApplied() {}

  private static String of(ObjectNode object) {
    return Meta.text(object.path("metadata").path("annotations").path(ANNOTATION));
  }

  /** Whether the annotation is to follow what is applied. */
  static boolean isKept(Call call, ObjectNode object) {
    return call.fieldManager().equals(KUBECTL) && !of(object).isEmpty();
  }

  static void set(ObjectNode object, Configuration configuration) {
    ObjectNode sent = configuration.sent().deepCopy();
    if (sent.path("metadata").path("annotations") instanceof ObjectNode annotations) {
      annotations.remove(ANNOTATION);
    }
    String text = new String(Json.encode(sorted(sent)), StandardCharsets.UTF_8) + "\n";
    if (object.path("metadata").path("annotations") instanceof ObjectNode annotations) {
      annotations.put(ANNOTATION, text);
      if (Json.encode(annotations).length > ANNOTATIONS_BYTES_MAX) {
        annotations.remove(ANNOTATION);
      }
    }
  }

  private static JsonNode sorted(JsonNode value) {
    if (value instanceof ObjectNode object) {
      var names = new TreeMap<String, JsonNode>();
      object.forEachEntry(names::put);
      ObjectNode sorted = JsonNodeFactory.instance.objectNode();
      names.forEach((name, member) -> sorted.set(name, sorted(member)));
      return sorted;
    }
    if (value instanceof ArrayNode array) {
      ArrayNode sorted = JsonNodeFactory.instance.arrayNode();
      array.forEach(item -> sorted.add(sorted(item)));
      return sorted;
    }
    return value;
  }

  /** The conflicts that are left once those with what kubectl itself applied are taken away. */
  static List<ConflictException.Conflict> unexcused(
      Call call, Served served, Updater updater, ObjectNode live, ConflictException conflict) {
    if (!call.fieldManager().equals(KUBECTL) || of(live).isEmpty()) {
      return conflict.conflicts();
    }
    try {
      ObjectNode applied = Json.parseObject(of(live).getBytes(StandardCharsets.UTF_8));
      if (!Meta.text(applied.path("apiVersion")).equals(served.gvk().apiVersion())) {
        return conflict.conflicts();
      }
      TypeCheck.check(applied, served.definition().schema());
      var _ = Shape.apply(applied, served.definition().schema());
      FieldSet own = updater.stillAsApplied(applied, live);
      return conflict.without(own);
    } catch (JsonException | TypeException e) {
      return conflict.conflicts();
    }
  }
}
