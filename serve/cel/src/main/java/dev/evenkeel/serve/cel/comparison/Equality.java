package dev.evenkeel.serve.cel.comparison;

import dev.evenkeel.serve.cel.json.JsonValues;
import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.type.DeclaredType.ListMerge;
import dev.evenkeel.serve.cel.value.BuiltList;
import dev.evenkeel.serve.cel.value.BuiltMap;
import dev.evenkeel.serve.cel.value.ListValue;
import dev.evenkeel.serve.cel.value.MapValue;
import dev.evenkeel.serve.cel.value.NullValue;
import dev.evenkeel.serve.cel.value.ObjectValue;
import dev.evenkeel.serve.cel.value.Octets;
import dev.evenkeel.serve.cel.value.OptionalValue;
import dev.evenkeel.serve.cel.value.PatchValue;
import dev.evenkeel.serve.cel.value.Uint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Equality of values, and the sums of lists, which depend on it. */
public final class Equality {

  /** Putting something into a table by its hash and finding it there. */
  private static final int HASH_WORK = 8;

  private Equality() {}

  /** Values of different types are not equal, but for numbers. */
  public static boolean equal(Object first, Object second, Meter meter) {
    meter.work(4);
    return switch (first) {
      case ListValue list -> second instanceof ListValue other && lists(list, other, meter);
      case MapValue map -> second instanceof MapValue other && maps(map, other, meter);
      case String text -> {
        if (!(second instanceof String other) || text.length() != other.length()) {
          yield false;
        }
        meter.text(text.length());
        yield text.equals(other);
      }
      case Octets octets -> {
        meter.text(octets.size());
        yield octets.equals(second);
      }
      case OptionalValue optional when second instanceof OptionalValue other ->
          optionals(optional.value(), other.value(), meter);
      case ObjectValue object ->
          second instanceof ObjectValue other && objects(object, other, meter);
      case PatchValue patch -> second instanceof PatchValue other && patches(patch, other, meter);
      default -> {
        if (Ordering.isNumber(first) && Ordering.isNumber(second)) {
          Integer order = Ordering.numbers(first, second);
          yield order != null && order == 0;
        }
        yield first.equals(second);
      }
    };
  }

  private static boolean optionals(@Nullable Object first, @Nullable Object second, Meter meter) {
    if (first == null || second == null) {
      return first == null && second == null;
    }
    return equal(first, second, meter);
  }

  private static boolean objects(ObjectValue first, ObjectValue second, Meter meter) {
    return first.typeName().equals(second.typeName())
        && maps(first.fields(), second.fields(), meter);
  }

  private static boolean patches(PatchValue first, PatchValue second, Meter meter) {
    return equal(first.op(), second.op(), meter)
        && equal(first.path(), second.path(), meter)
        && equal(first.from(), second.from(), meter)
        && optionals(first.value(), second.value(), meter);
  }

  private static boolean lists(ListValue first, ListValue second, Meter meter) {
    if (first.size() != second.size()) {
      return false;
    }
    return switch (first.merge()) {
      case ATOMIC -> {
        for (int i = 0; i < first.size(); i++) {
          if (!equal(first.get(i), second.get(i), meter)) {
            yield false;
          }
        }
        yield true;
      }
      case SET -> identities(first, first, meter).equals(identities(first, second, meter));
      case KEYED -> {
        Map<Object, Object> others = new HashMap<>();
        for (int i = 0; i < second.size(); i++) {
          others.put(identity(first, second.get(i), meter), second.get(i));
        }
        for (int i = 0; i < first.size(); i++) {
          Object other = others.get(identity(first, first.get(i), meter));
          if (other == null || !equal(first.get(i), other, meter)) {
            yield false;
          }
        }
        yield true;
      }
    };
  }

  private static boolean maps(MapValue first, MapValue second, Meter meter) {
    if (first.size() != second.size()) {
      return false;
    }
    for (Object key : first.keys()) {
      meter.work(4);
      Object value = first.find(key);
      Object other = second.find(key);
      if (value == null || other == null || !equal(value, other, meter)) {
        return false;
      }
    }
    return true;
  }

  public static boolean contains(ListValue list, Object value, Meter meter) {
    return indexOf(list, value, meter) >= 0;
  }

  public static int indexOf(ListValue list, Object value, Meter meter) {
    for (int i = 0; i < list.size(); i++) {
      if (equal(list.get(i), value, meter)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The sum of two lists: of sets the union, of lists with keys the first updated by the second.
   */
  public static ListValue sum(ListValue first, ListValue second, Meter meter) {
    if (first.merge() == ListMerge.ATOMIC) {
      return BuiltList.joined(first, second, meter);
    }
    meter.work((long) first.size() + second.size());
    var elements = new ArrayList<Object>();
    Map<Object, Integer> places = new HashMap<>();
    for (ListValue list : new ListValue[] {first, second}) {
      for (int i = 0; i < list.size(); i++) {
        Object element = list.get(i);
        Integer place = places.putIfAbsent(identity(first, element, meter), elements.size());
        if (place == null) {
          elements.add(element);
        } else {
          elements.set(place, element);
        }
      }
    }
    return BuiltList.of(elements, first.merge(), first.keys());
  }

  private static Set<Object> identities(ListValue how, ListValue list, Meter meter) {
    Set<Object> identities = new HashSet<>();
    for (int i = 0; i < list.size(); i++) {
      identities.add(identity(how, list.get(i), meter));
    }
    return identities;
  }

  /** What tells an element of such a list from the others, as something that can be hashed. */
  private static Object identity(ListValue how, Object element, Meter meter) {
    if (how.merge() == ListMerge.SET || !(element instanceof MapValue map)) {
      return hashable(element, meter);
    }
    var keys = new ArrayList<Object>();
    for (String key : how.keys()) {
      Object value = map.find(key);
      keys.add(value == null ? NullValue.NULL : hashable(value, meter));
    }
    return keys;
  }

  private static Object hashable(Object value, Meter meter) {
    meter.work(HASH_WORK);
    return switch (value) {
      case Long _, Double _, Uint _, String _, Boolean _ -> {
        meter.text(value instanceof String text ? text.length() : 1);
        yield BuiltMap.key(value);
      }
      case ListValue _, MapValue _ -> {
        JsonNode tree = JsonValues.toJson(value, meter);
        meter.work(tree.size());
        yield tree;
      }
      default -> value;
    };
  }
}
