package dev.evenkeel.kernel.patch;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Merges the lists that a strategic merge patch merges: lists of objects by a key, lists of scalars
 * by value.
 */
final class MergeLists {

  /*
   * Order: items that the patch names stand as the patch has them, the others as the live list has
   * them. Both rows are then laced together: an item of the live row goes before one of the patch
   * if it stood before it in the live list, and otherwise after it.
   *
   * With a $setElementOrder, upstream takes new items for live ones that fill the places of deleted
   * ones, first come, first served. Everybody's lists are ordered by that, so it is done here too.
   */

  private final Draft draft;
  private final StrategicMergePatch objects;

  MergeLists(Draft draft, StrategicMergePatch objects) {
    this.draft = draft;
    this.objects = objects;
  }

  /** An item under the text of what tells it apart. */
  private record Item(String key, JsonNode node) {}

  /**
   * A merged list that waits for its order.
   *
   * @param items what is left of the live items, merged; then the new ones
   * @param left how many were left
   */
  private record Unordered(List<Item> items, int left) {}

  private enum Kind {
    OBJECT,
    STRING,
    WHOLE_NUMBER,
    NUMBER,
    BOOLEAN
  }

  ArrayNode merged(ArrayNode original, ArrayNode patch, Field field) {
    @Nullable Kind kind = kind(original, patch);
    if (kind == null) {
      return original;
    }
    @Nullable String mergeKey = kind == Kind.OBJECT ? mergeKey(field) : null;
    Unordered merged = union(original, patch, mergeKey, field);
    List<JsonNode> named = new ArrayList<>();
    patch.forEach(
        node -> {
          if (!node.has(Directives.PATCH)) {
            named.add(node);
          }
        });
    return ordered(
        merged.items(),
        places(items(named, mergeKey)),
        places(merged.items().subList(0, merged.left())));
  }

  /** What a list and its {@code $setElementOrder} make together; one of both lists is there. */
  ArrayNode mergedInOrder(
      @Nullable ArrayNode original, @Nullable ArrayNode patch, ArrayNode wanted, Field field) {
    ArrayNode live = original == null ? JsonNodeFactory.instance.arrayNode() : original;
    ArrayNode changes = patch == null ? JsonNodeFactory.instance.arrayNode() : patch;
    @Nullable Kind kind = kind(live, changes);
    if (kind == null) {
      return live;
    }
    @Nullable String mergeKey = kind == Kind.OBJECT ? mergeKey(field) : null;
    Unordered merged;
    if (patch == null) {
      draft.charge(live.size());
      merged = new Unordered(items(live, mergeKey), live.size());
    } else if (original == null) {
      merged = new Unordered(items(freshList(patch, field), mergeKey), 0);
    } else {
      merged = union(live, patch, mergeKey, field);
    }
    int places = Math.min(live.size(), merged.items().size());
    return ordered(
        merged.items(), places(items(wanted, mergeKey)), places(merged.items().subList(0, places)));
  }

  private Unordered union(
      ArrayNode original, ArrayNode patch, @Nullable String mergeKey, Field field) {
    draft.charge((long) original.size() + patch.size());
    return mergeKey == null
        ? unionOfScalars(original, patch)
        : unionOfObjects(original, patch, mergeKey, itemSchema(field));
  }

  /**
   * Checks that the patch's items stand in the wanted order, and all in it.
   *
   * @throws ApiException if they do not
   */
  void checkOrder(ArrayNode patch, ArrayNode wanted, Field field) {
    if (patch.isEmpty() || wanted.isEmpty()) {
      return;
    }
    @Nullable String mergeKey =
        kind(patch, JsonNodeFactory.instance.arrayNode()) == Kind.OBJECT ? mergeKey(field) : null;
    List<Item> order = items(wanted, mergeKey);
    int next = 0;
    for (JsonNode node : patch) {
      if (node.has(Directives.PATCH)) {
        continue;
      }
      String key = key(node, mergeKey);
      while (next < order.size() && !order.get(next).key().equals(key)) {
        next++;
      }
      if (next == order.size()) {
        throw PatchErrors.malformed(
            "The order in patch list:\n"
                + PatchErrors.shown(patch)
                + "\n doesn't match "
                + Directives.SET_ELEMENT_ORDER
                + " list:\n"
                + PatchErrors.shown(wanted)
                + "\n");
      }
      next++;
    }
  }

  /**
   * A list of scalars without some of them.
   *
   * @param error what to throw if it is a list of objects
   */
  ArrayNode without(ArrayNode original, ArrayNode deletions, ApiException error) {
    draft.charge((long) original.size() + deletions.size());
    if (kind(original, deletions) == Kind.OBJECT) {
      throw error;
    }
    Set<String> gone = new HashSet<>();
    deletions.forEach(node -> gone.add(scalarKey(node)));
    ArrayNode rest = JsonNodeFactory.instance.arrayNode();
    for (JsonNode node : original) {
      if (!gone.contains(scalarKey(node))) {
        rest.add(node);
      }
    }
    return rest;
  }

  // ---- scalars

  private static Unordered unionOfScalars(ArrayNode original, ArrayNode patch) {
    Map<String, Item> union = new LinkedHashMap<>();
    items(original, null).forEach(item -> union.putIfAbsent(item.key(), item));
    int left = union.size();
    items(patch, null).forEach(item -> union.putIfAbsent(item.key(), item));
    return new Unordered(List.copyOf(union.values()), left);
  }

  // ---- objects

  private Unordered unionOfObjects(
      ArrayNode original, ArrayNode patch, String mergeKey, Schema schema) {
    List<JsonNode> changes = new ArrayList<>();
    Set<String> deleted = new HashSet<>();
    boolean replaces = false;
    for (JsonNode node : patch) {
      @Nullable JsonNode directive = node.get(Directives.PATCH);
      if (directive == null) {
        changes.add(node);
        continue;
      }
      switch (directive.isString() ? directive.stringValue() : "") {
        case Directives.DELETE -> deleted.add(key(node, mergeKey));
        case Directives.REPLACE -> replaces = true;
        case Directives.MERGE ->
            throw PatchErrors.malformed("merging lists cannot yet be specified in the patch");
        default -> throw Directives.unknown(directive, node);
      }
    }
    if (replaces) {
      return new Unordered(items(changes, mergeKey), 0);
    }
    List<Item> items = items(original, mergeKey);
    items.removeIf(item -> deleted.contains(item.key()));
    int left = items.size();
    mergeEach(items, items(changes, mergeKey), schema);
    return new Unordered(items, left);
  }

  private void mergeEach(List<Item> items, List<Item> changes, Schema schema) {
    Map<String, Integer> places = new HashMap<>(places(items));
    for (Item change : changes) {
      @Nullable Integer place = places.putIfAbsent(change.key(), items.size());
      if (place == null) {
        items.add(new Item(change.key(), added(change.node(), schema)));
      } else if (items.get(place).node() instanceof ObjectNode original
          && change.node() instanceof ObjectNode patch) {
        items.set(place, new Item(change.key(), objects.merged(original, patch, schema)));
      }
    }
  }

  private static JsonNode added(JsonNode node, Schema schema) {
    @Nullable JsonNode fresh = StrategicMergePatch.fresh(node, schema);
    // An item that is a directive does not get here.
    return fresh == null ? node : fresh;
  }

  private static ArrayNode freshList(ArrayNode list, Field field) {
    return StrategicMergePatch.fresh(list, field.schema()) instanceof ArrayNode fresh
        ? fresh
        : list;
  }

  private static Schema itemSchema(Field field) {
    return field.schema() instanceof Schema.ListOf list ? list.items() : Schema.Scalar.ANY;
  }

  private static String mergeKey(Field field) {
    @Nullable String key = field.merge().key();
    if (key == null) {
      throw PatchErrors.malformed("cannot merge lists without merge key for " + field.name());
    }
    return key;
  }

  // ---- order

  private static ArrayNode ordered(
      List<Item> items, Map<String, Integer> wanted, Map<String, Integer> live) {
    List<Item> named = new ArrayList<>();
    List<Item> others = new ArrayList<>();
    for (Item item : items) {
      (wanted.containsKey(item.key()) ? named : others).add(item);
    }
    named.sort(Comparator.comparingInt(item -> place(wanted, item)));
    others.sort(Comparator.comparingInt(item -> place(live, item)));
    ArrayNode result = JsonNodeFactory.instance.arrayNode(items.size());
    int next = 0;
    for (Item item : named) {
      @Nullable Integer liveItem = live.get(item.key());
      while (liveItem != null && next < others.size() && place(live, others.get(next)) < liveItem) {
        result.add(others.get(next++).node());
      }
      result.add(item.node());
    }
    for (Item item : others.subList(next, others.size())) {
      result.add(item.node());
    }
    return result;
  }

  /** Behind all others, if it has no place. */
  private static int place(Map<String, Integer> places, Item item) {
    return places.getOrDefault(item.key(), Integer.MAX_VALUE);
  }

  /** Where each key stands first. */
  private static Map<String, Integer> places(List<Item> items) {
    Map<String, Integer> places = HashMap.newHashMap(items.size());
    for (int i = 0; i < items.size(); i++) {
      places.putIfAbsent(items.get(i).key(), i);
    }
    return places;
  }

  // ---- items and what tells them apart

  /**
   * What all items of both lists are.
   *
   * @return null if there are none
   */
  private static @Nullable Kind kind(ArrayNode first, ArrayNode second) {
    @Nullable Kind kind = null;
    for (ArrayNode list : List.of(first, second)) {
      for (JsonNode node : list) {
        if (kind == null && node.isArray()) {
          throw PatchErrors.doesNotApply("patch", "lists of lists are not supported");
        }
        Kind own =
            switch (node.getNodeType()) {
              case OBJECT -> Kind.OBJECT;
              case STRING -> Kind.STRING;
              case BOOLEAN -> Kind.BOOLEAN;
              case NUMBER -> node.isIntegralNumber() ? Kind.WHOLE_NUMBER : Kind.NUMBER;
              default -> throw notIdentical(first, second);
            };
        if (kind != null && kind != own) {
          throw notIdentical(first, second);
        }
        kind = own;
      }
    }
    return kind;
  }

  private static ApiException notIdentical(ArrayNode first, ArrayNode second) {
    return PatchErrors.malformed(
        "list element types are not identical: "
            + PatchErrors.shown(first)
            + " "
            + PatchErrors.shown(second));
  }

  private static List<Item> items(Iterable<JsonNode> nodes, @Nullable String mergeKey) {
    List<Item> items = new ArrayList<>();
    for (JsonNode node : nodes) {
      items.add(new Item(key(node, mergeKey), node));
    }
    return items;
  }

  private static String key(JsonNode node, @Nullable String mergeKey) {
    if (mergeKey == null) {
      return scalarKey(node);
    }
    @Nullable JsonNode value = node.get(mergeKey);
    if (value == null) {
      throw PatchErrors.malformed(
          "map: " + PatchErrors.shown(node) + " does not contain declared merge key: " + mergeKey);
    }
    return scalarKey(value);
  }

  /** A text that only equal scalars share. Texts, because those collide in no hash map for long. */
  private static String scalarKey(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> {
        String text = value.stringValue();
        yield text.startsWith("\0") ? "\0" + text : text;
      }
      case NUMBER ->
          "\0" + (value.isIntegralNumber() ? value.longValue() : (Object) value.doubleValue());
      case BOOLEAN -> "\0" + value.booleanValue();
      case NULL -> "\0null";
      default ->
          throw PatchErrors.malformed(
              "expected a scalar, but received " + PatchErrors.shown(value));
    };
  }
}
