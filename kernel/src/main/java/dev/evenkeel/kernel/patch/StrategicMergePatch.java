package dev.evenkeel.kernel.patch;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Schema;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Strategic merge patch: a merge patch that knows from the schema which lists are merged, and by
 * which key, and that can say more through {@linkplain Directives directives}. What has no schema
 * is patched as by a {@link MergePatch}.
 */
public final class StrategicMergePatch {

  /*
   * The order of work within an object, as upstream has it: a $patch directive decides alone; else
   * $retainKeys clears, lists with a $setElementOrder are merged and ordered, then the other fields
   * are merged. $deleteFromPrimitiveList comes last here; upstream has no order there, and mostly
   * the same result. Every list is gone through a fixed number of times with its keys in a hash
   * map, so the cost is the size of what the patch names, not a product of sizes; the draft's steps
   * bound what a patch that names the same item again and again may cost.
   */

  private static final String BAD_RETAIN_KEYS = "invalid patch format of retainKeys";
  private static final String BAD_ORDER = "invalid patch format of setElementOrder list";
  private static final String BAD_DELETION = "invalid patch format of primitive list";

  private final Draft draft = new Draft();
  private final MergeLists lists = new MergeLists(draft, this);

  private StrategicMergePatch() {}

  /**
   * The object with the patch applied. Neither is changed; the result shares what stays the same.
   *
   * @throws ApiException 400 if the patch is malformed, 413 if it takes too long, 422 if it merges
   *     lists of lists
   */
  public static ObjectNode apply(ObjectNode patch, ObjectNode object, Schema.Struct schema) {
    return new StrategicMergePatch().merged(object, patch, schema);
  }

  /** Merges an object, or an item of a list. */
  ObjectNode merged(ObjectNode original, ObjectNode patch, Schema schema) {
    if (!(schema instanceof Schema.Struct || schema instanceof Schema.MapOf)) {
      return MergePatch.merged(patch, original, draft);
    }
    @Nullable JsonNode directive = patch.get(Directives.PATCH);
    if (directive != null) {
      return directed(directive, patch);
    }
    ObjectNode result = draft.writable(original);
    retainKeys(result, patch);
    Set<String> ordered = mergeOrderedLists(result, patch, schema);
    for (Map.Entry<String, JsonNode> entry : patch.properties()) {
      String name = entry.getKey();
      if (!Directives.isDirective(name) && !ordered.contains(name)) {
        mergeField(result, name, entry.getValue(), schema);
      }
    }
    deleteFromLists(result, patch);
    return result;
  }

  private static ObjectNode directed(JsonNode directive, ObjectNode patch) {
    if (directive.isString() && directive.stringValue().equals(Directives.REPLACE)) {
      ObjectNode replacement = JsonNodeFactory.instance.objectNode();
      replacement.setAll(patch);
      replacement.remove(Directives.PATCH);
      return replacement;
    }
    if (directive.isString() && directive.stringValue().equals(Directives.DELETE)) {
      return JsonNodeFactory.instance.objectNode();
    }
    throw Directives.unknown(directive, patch);
  }

  private void mergeField(ObjectNode result, String name, JsonNode value, Schema schema) {
    @Nullable Field field = field(schema, name);
    if (field == null || value.isNull()) {
      MergePatch.mergeInto(result, name, value, draft);
      return;
    }
    @Nullable JsonNode current = result.get(name);
    if (value instanceof ObjectNode changes && current instanceof ObjectNode original) {
      result.set(
          name,
          field.merge().replacesObject() ? changes : merged(original, changes, field.schema()));
    } else if (value instanceof ArrayNode changes && current instanceof ArrayNode original) {
      result.set(name, field.merge().merge() ? lists.merged(original, changes, field) : changes);
    } else {
      @Nullable JsonNode fresh = fresh(value, field.schema());
      if (fresh == null) {
        result.remove(name);
      } else {
        result.set(name, fresh);
      }
    }
  }

  /** Null where nothing is known of the field. */
  private static @Nullable Field field(Schema schema, String name) {
    return switch (schema) {
      case Schema.Struct struct -> struct.field(name);
      case Schema.MapOf map -> new Field(name, map.values(), false, null, MergeStrategy.REPLACE);
      case Schema.ListOf _, Schema.Scalar _ -> null;
    };
  }

  // ---- what is new

  /**
   * A value that meets nothing to be merged into: without null entries and without directives. Null
   * for an object that is itself a directive.
   */
  static @Nullable JsonNode fresh(JsonNode value, Schema schema) {
    return switch (value) {
      case ObjectNode object
          when schema instanceof Schema.Struct || schema instanceof Schema.MapOf ->
          freshObject(object, schema);
      case ArrayNode array when schema instanceof Schema.ListOf list ->
          freshList(array, list.items());
      default -> Trees.withoutNullEntries(value);
    };
  }

  private static @Nullable ObjectNode freshObject(ObjectNode object, Schema schema) {
    if (object.has(Directives.PATCH)) {
      return null;
    }
    ObjectNode fresh = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      String name = entry.getKey();
      if (!Directives.isDirective(name) && !entry.getValue().isNull()) {
        @Nullable Field field = field(schema, name);
        Schema fieldSchema = field == null ? Schema.Scalar.ANY : field.schema();
        @Nullable JsonNode value = fresh(entry.getValue(), fieldSchema);
        if (value != null) {
          fresh.set(name, value);
        }
      }
    }
    return fresh;
  }

  private static ArrayNode freshList(ArrayNode list, Schema items) {
    ArrayNode fresh = JsonNodeFactory.instance.arrayNode(list.size());
    for (JsonNode item : list) {
      @Nullable JsonNode value = fresh(item, items);
      if (value != null) {
        fresh.add(value);
      }
    }
    return fresh;
  }

  // ---- directives about fields

  private static void retainKeys(ObjectNode result, ObjectNode patch) {
    @Nullable JsonNode directive = patch.get(Directives.RETAIN_KEYS);
    if (directive == null) {
      return;
    }
    if (!(directive instanceof ArrayNode list)) {
      throw PatchErrors.malformed(BAD_RETAIN_KEYS);
    }
    Set<String> retained = new HashSet<>();
    for (JsonNode name : list) {
      if (!name.isString()) {
        throw PatchErrors.malformed(BAD_RETAIN_KEYS);
      }
      retained.add(name.stringValue());
    }
    patch.forEachEntry(
        (name, value) -> {
          if (!value.isNull() && !Directives.isDirective(name) && !retained.contains(name)) {
            throw PatchErrors.malformed(BAD_RETAIN_KEYS);
          }
        });
    result.retain(retained);
  }

  /** The names of the lists that are done with. */
  private Set<String> mergeOrderedLists(ObjectNode result, ObjectNode patch, Schema schema) {
    Set<String> done = new HashSet<>();
    for (Map.Entry<String, JsonNode> entry : patch.properties()) {
      if (entry.getKey().startsWith(Directives.SET_ELEMENT_ORDER)) {
        String name =
            Directives.field(
                entry.getKey(), Directives.SET_ELEMENT_ORDER, PatchErrors.malformed(BAD_ORDER));
        if (mergeOrderedList(result, name, patch.get(name), entry.getValue(), schema)) {
          done.add(name);
        }
      }
    }
    return done;
  }

  /** False for a list that is not merged: then there is no order to keep. */
  private boolean mergeOrderedList(
      ObjectNode result, String name, @Nullable JsonNode changes, JsonNode order, Schema schema) {
    ArrayNode wanted = list(order);
    @Nullable Field field = field(schema, name);
    if (field == null || !field.merge().merge()) {
      return false;
    }
    @Nullable JsonNode current = result.get(name);
    @Nullable ArrayNode original = current == null || current.isNull() ? null : list(current);
    @Nullable ArrayNode additions = changes == null ? null : list(changes);
    if (additions != null) {
      lists.checkOrder(additions, wanted, field);
    }
    if (original == null && additions == null) {
      return true;
    }
    result.set(name, lists.mergedInOrder(original, additions, wanted, field));
    return true;
  }

  private static ArrayNode list(JsonNode node) {
    if (node instanceof ArrayNode array) {
      return array;
    }
    throw PatchErrors.malformed("expected a list, but received " + PatchErrors.shown(node));
  }

  private void deleteFromLists(ObjectNode result, ObjectNode patch) {
    for (Map.Entry<String, JsonNode> entry : patch.properties()) {
      if (!entry.getKey().startsWith(Directives.DELETE_FROM_PRIMITIVE_LIST)) {
        continue;
      }
      String name =
          Directives.field(
              entry.getKey(),
              Directives.DELETE_FROM_PRIMITIVE_LIST,
              PatchErrors.malformed(BAD_DELETION));
      JsonNode value = entry.getValue();
      if (value.isNull()) {
        result.remove(name);
      } else if (value instanceof ArrayNode deletions
          && result.get(name) instanceof ArrayNode current) {
        result.set(name, lists.without(current, deletions, PatchErrors.malformed(BAD_DELETION)));
      }
    }
  }
}
