package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where two states of an object differ.
 *
 * @param removed what only the old one has
 * @param modified what both have with different values
 * @param added what only the new one has
 */
public record Comparison(FieldSet removed, FieldSet modified, FieldSet added) {

  /**
   * @param zero what every object of the kind has, whether it says so or not
   * @throws TypeException if items of a list cannot be told apart
   */
  public static Comparison of(
      ObjectNode old, ObjectNode next, Schema.Struct schema, ObjectNode zero) {
    var found = new Found();
    maps(old, next, schema, zero, found);
    return new Comparison(built(found.removed), built(found.modified), built(found.added));
  }

  private static FieldSet built(FieldSet.@Nullable Builder builder) {
    return builder == null ? FieldSet.EMPTY : builder.build();
  }

  public boolean isEmpty() {
    return removed.isEmpty() && modified.isEmpty() && added.isEmpty();
  }

  /** Without some fields and all below them. */
  public Comparison without(FieldSet fields) {
    return fields.isEmpty()
        ? this
        : new Comparison(
            removed.recursiveDifference(fields),
            modified.recursiveDifference(fields),
            added.recursiveDifference(fields));
  }

  /** What was found at one level of the objects. Most levels find nothing and cost nothing. */
  private static final class Found {
    private FieldSet.@Nullable Builder removed;
    private FieldSet.@Nullable Builder modified;
    private FieldSet.@Nullable Builder added;

    void removed(PathElement element, boolean member, FieldSet below) {
      if (member || !below.isEmpty()) {
        removed = removed == null ? new FieldSet.Builder() : removed;
        removed.add(element, member, below);
      }
    }

    void modified(PathElement element, boolean member, FieldSet below) {
      if (member || !below.isEmpty()) {
        modified = modified == null ? new FieldSet.Builder() : modified;
        modified.add(element, member, below);
      }
    }

    void added(PathElement element, boolean member, FieldSet below) {
      if (member || !below.isEmpty()) {
        added = added == null ? new FieldSet.Builder() : added;
        added.add(element, member, below);
      }
    }
  }

  /** A place in both objects: its type and what is there anyway. */
  private record Place(
      PathElement element, Schema schema, boolean atomic, @Nullable JsonNode zero) {
    Types.Form form(JsonNode value) {
      return Types.form(value, schema, atomic);
    }

    /** The form of one side; null takes that of the other. */
    Types.Form form(JsonNode value, @Nullable JsonNode other) {
      return value.isNull() && other != null ? form(other) : form(value);
    }
  }

  private static void maps(
      @Nullable ObjectNode old,
      @Nullable ObjectNode next,
      Schema schema,
      @Nullable JsonNode zero,
      Found found) {
    if (old != null) {
      for (Map.Entry<String, JsonNode> entry : old.properties()) {
        String name = entry.getKey();
        member(name, entry.getValue(), next == null ? null : next.get(name), schema, zero, found);
      }
    }
    if (next != null) {
      for (Map.Entry<String, JsonNode> entry : next.properties()) {
        if (old == null || !old.has(entry.getKey())) {
          member(entry.getKey(), null, entry.getValue(), schema, zero, found);
        }
      }
    }
  }

  private static void member(
      String name,
      @Nullable JsonNode old,
      @Nullable JsonNode next,
      Schema schema,
      @Nullable JsonNode zero,
      Found found) {
    Field field = Types.field(schema, name);
    JsonNode zeroHere = zero == null ? null : zero.get(name);
    values(
        old == null ? zeroHere : old,
        next == null ? zeroHere : next,
        new Place(
            new PathElement.FieldName(name),
            Types.member(schema, field),
            Types.memberAtomic(schema, field),
            zeroHere),
        found);
  }

  private static void values(
      @Nullable JsonNode old, @Nullable JsonNode next, Place place, Found found) {
    JsonNode either = next == null ? old : next;
    if (either == null) {
      return;
    }
    var below = new Found();
    boolean leaf;
    if (old == null || next == null || place.form(old, next) == place.form(next, old)) {
      leaf = inside(old, next, place.form(either, next == null ? null : old), place, found, below);
    } else {
      var _ = inside(old, next, place.form(old), place, found, below);
      leaf = inside(old, next, place.form(next), place, found, below);
    }
    found.removed(place.element(), !leaf && next == null, built(below.removed));
    found.modified(place.element(), false, built(below.modified));
    found.added(place.element(), !leaf && old == null, built(below.added));
  }

  /** Whether it was a leaf, about which all is said. */
  private static boolean inside(
      @Nullable JsonNode old,
      @Nullable JsonNode next,
      Types.Form form,
      Place place,
      Found found,
      Found below) {
    if (form == Types.Form.MAP) {
      ObjectNode oldMap = old instanceof ObjectNode map ? map : null;
      ObjectNode nextMap = next instanceof ObjectNode map ? map : null;
      if (!isEmpty(oldMap) || !isEmpty(nextMap)) {
        maps(oldMap, nextMap, place.schema(), place.zero(), below);
        return false;
      }
    } else if (form == Types.Form.LIST) {
      ArrayNode oldList = old instanceof ArrayNode list ? list : null;
      ArrayNode nextList = next instanceof ArrayNode list ? list : null;
      if (!isEmpty(oldList) || !isEmpty(nextList)) {
        lists(oldList, nextList, (Schema.ListOf) place.schema(), below);
        return false;
      }
    }
    if (old == null) {
      found.added(place.element(), true, FieldSet.EMPTY);
    } else if (next == null) {
      found.removed(place.element(), true, FieldSet.EMPTY);
    } else if (!Values.equal(old, next)) {
      found.modified(place.element(), true, FieldSet.EMPTY);
    }
    return true;
  }

  private static boolean isEmpty(@Nullable JsonNode container) {
    return container == null || container.isEmpty();
  }

  private static void lists(
      @Nullable ArrayNode old, @Nullable ArrayNode next, Schema.ListOf list, Found found) {
    var oldItems = items(old, list);
    var nextItems = items(next, list);
    oldItems.forEach(
        (element, items) ->
            item(element, items, nextItems.getOrDefault(element, List.of()), list, found));
    nextItems.forEach(
        (element, items) -> {
          if (!oldItems.containsKey(element)) {
            item(element, List.of(), items, list, found);
          }
        });
  }

  private static TreeMap<PathElement, List<JsonNode>> items(
      @Nullable ArrayNode array, Schema.ListOf list) {
    var items = new TreeMap<PathElement, List<JsonNode>>();
    if (array != null) {
      for (int i = 0; i < array.size(); i++) {
        JsonNode item = array.get(i);
        try {
          items.computeIfAbsent(Types.item(item, list), _ -> new ArrayList<>(1)).add(item);
        } catch (TypeException e) {
          throw new TypeException("element " + i + ": " + e.getMessage());
        }
      }
    }
    return items;
  }

  private static void item(
      PathElement element,
      List<JsonNode> old,
      List<JsonNode> next,
      Schema.ListOf list,
      Found found) {
    var place = new Place(element, list.items(), Types.itemAtomic(list.items()), null);
    if (old.size() <= 1 && next.size() <= 1) {
      values(first(old), first(next), place, found);
    } else if (old.size() > 1 && next.size() > 1) {
      if (!old.equals(next)) {
        found.modified(element, true, FieldSet.EMPTY);
      }
    } else if (old.size() > 1) {
      if (!next.isEmpty()) {
        values(null, first(next), place, found);
      }
      found.removed(element, true, FieldSet.EMPTY);
    } else {
      if (!old.isEmpty()) {
        values(first(old), null, place, found);
      }
      found.added(element, true, FieldSet.EMPTY);
    }
  }

  private static @Nullable JsonNode first(List<JsonNode> items) {
    return items.isEmpty() ? null : items.getFirst();
  }
}
