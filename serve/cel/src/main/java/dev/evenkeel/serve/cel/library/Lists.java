package dev.evenkeel.serve.cel.library;

import static dev.evenkeel.serve.cel.library.Library.integer;

import dev.evenkeel.serve.cel.comparison.Equality;
import dev.evenkeel.serve.cel.comparison.Ordering;
import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.value.BuiltList;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.ListValue;
import dev.evenkeel.serve.cel.value.Octets;
import dev.evenkeel.serve.cel.value.OptionalValue;
import dev.evenkeel.serve.cel.value.Uint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Functions of lists, and of lists taken as sets. */
final class Lists {

  private static final List<String> COMPARABLE =
      List.of("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes");

  private Lists() {}

  static void addTo(Library library) {
    for (String type : COMPARABLE) {
      library
          .declare("list_" + type + "_is_sorted_bool", "list(" + type + ")::isSorted() -> bool")
          .declare("list_" + type + "_min", "list(" + type + ")::min() -> " + type)
          .declare("list_" + type + "_max", "list(" + type + ")::max() -> " + type)
          .declare("list_" + type + "_sort", "list(" + type + ")::sort() -> list(" + type + ")")
          .declare(
              "list_" + type + "_sortByAssociatedKeys",
              "list(T)::@sortByAssociatedKeys(list(" + type + ")) -> list(T)");
    }
    for (String type : List.of("int", "uint", "double", "duration")) {
      library.declare("list_" + type + "_sum", "list(" + type + ")::sum() -> " + type);
    }
    library
        .define("isSorted", (a, meter) -> isSorted(list(a[0])))
        .define("min", (a, meter) -> extreme(list(a[0]), "min", -1))
        .define("max", (a, meter) -> extreme(list(a[0]), "max", 1))
        .define("sum", (a, meter) -> sum(list(a[0]), 0L, meter))
        .define("list_uint_sum", (a, meter) -> sum(list(a[0]), new Uint(0), meter))
        .define("list_double_sum", (a, meter) -> sum(list(a[0]), 0.0, meter))
        .define("list_duration_sum", (a, meter) -> sum(list(a[0]), Duration.ZERO, meter))
        .declare("list_a_index_of_int", "list(T)::indexOf(T) -> int")
        .define(
            "indexOf",
            (a, meter) ->
                a[0] instanceof ListValue list
                    ? (long) Equality.indexOf(list, a[1], meter)
                    : Strings.indexOf(a, meter))
        .declare("list_a_last_index_of_int", "list(T)::lastIndexOf(T) -> int")
        .define(
            "lastIndexOf",
            (a, meter) ->
                a[0] instanceof ListValue list
                    ? lastIndexOf(list, a[1], meter)
                    : Strings.lastIndexOf(a, meter))
        .declare("list_slice", "list(T)::slice(int, int) -> list(T)")
        .define("slice", (a, meter) -> slice(list(a[0]), integer(a[1]), integer(a[2]), meter))
        .declare("list_flatten", "list(list(T))::flatten() -> list(T)")
        .declare("list_flatten_int", "list(dyn)::flatten(int) -> list(dyn)")
        .define("flatten", (a, meter) -> flat(list(a[0]), a.length == 1 ? 1 : integer(a[1]), meter))
        .declare("lists_range", "lists.range(int) -> list(int)")
        .define("lists.range", (a, meter) -> range(integer(a[0]), meter))
        .declare("list_reverse", "list(T)::reverse() -> list(T)")
        .define(
            "reverse",
            (a, meter) ->
                a[0] instanceof String text ? Strings.reversed(text) : reversed(list(a[0]), meter))
        .declare("list_distinct", "list(T)::distinct() -> list(T)")
        .define("distinct", (a, meter) -> distinct(list(a[0]), meter))
        .define("sort", (a, meter) -> sorted(list(a[0]), list(a[0]), meter))
        .define("@sortByAssociatedKeys", (a, meter) -> sorted(list(a[0]), list(a[1]), meter))
        .declare("list_first", "list(T)::first() -> optional(T)")
        .define("first", (a, meter) -> end(list(a[0]), 0))
        .declare("list_last", "list(T)::last() -> optional(T)")
        .define("last", (a, meter) -> end(list(a[0]), list(a[0]).size() - 1))
        .declare("list_sets_contains_list", "sets.contains(list(T), list(T)) -> bool")
        .define("sets.contains", (a, meter) -> containsAll(list(a[0]), list(a[1]), meter))
        .declare("list_sets_equivalent_list", "sets.equivalent(list(T), list(T)) -> bool")
        .define(
            "sets.equivalent",
            (a, meter) ->
                containsAll(list(a[0]), list(a[1]), meter)
                    && containsAll(list(a[1]), list(a[0]), meter))
        .declare("list_sets_intersects_list", "sets.intersects(list(T), list(T)) -> bool")
        .define("sets.intersects", (a, meter) -> intersects(list(a[0]), list(a[1]), meter));
  }

  private static ListValue list(Object value) {
    return Library.of(ListValue.class, value);
  }

  private static int compare(Object first, Object second) {
    Integer order = Ordering.compare(first, second);
    return order == null ? 0 : order;
  }

  private static boolean isSorted(ListValue list) {
    for (int i = 1; i < list.size(); i++) {
      if (compare(list.get(i - 1), list.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static Object extreme(ListValue list, String name, int sign) {
    if (list.size() == 0) {
      throw new EvaluationError(name + " called on empty list");
    }
    Object best = list.get(0);
    for (int i = 1; i < list.size(); i++) {
      if (compare(list.get(i), best) * sign > 0) {
        best = list.get(i);
      }
    }
    return best;
  }

  private static Object sum(ListValue list, Object zero, Meter meter) {
    Object sum = zero;
    for (int i = 0; i < list.size(); i++) {
      Object element = list.get(i);
      sum = i == 0 && !(element instanceof String) ? element : Operators.sum(sum, element, meter);
    }
    return sum;
  }

  private static long lastIndexOf(ListValue list, Object value, Meter meter) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (Equality.equal(list.get(i), value, meter)) {
        return i;
      }
    }
    return -1;
  }

  private static ListValue slice(ListValue list, long start, long end, Meter meter) {
    String what = "cannot slice(" + start + ", " + end + "), ";
    if (start < 0 || end < 0) {
      throw new EvaluationError(what + "negative indexes not supported");
    }
    if (start > end) {
      throw new EvaluationError(what + "start index must be less than or equal to end index");
    }
    if (end > list.size()) {
      throw new EvaluationError(what + "list is length " + list.size());
    }
    meter.charge(end - start + CallCosts.LIST_CALL);
    var elements = new ArrayList<Object>();
    for (long i = start; i < end; i++) {
      elements.add(list.get((int) i));
    }
    return BuiltList.of(elements);
  }

  private static ListValue flat(ListValue list, long depth, Meter meter) {
    if (depth < 0) {
      throw new EvaluationError("level must be non-negative");
    }
    var elements = new ArrayList<Object>();
    flatten(list, depth, elements, meter);
    return BuiltList.of(elements);
  }

  private static void flatten(ListValue list, long depth, List<Object> to, Meter meter) {
    for (int i = 0; i < list.size(); i++) {
      meter.work(1);
      Object element = list.get(i);
      if (depth > 0 && element instanceof ListValue inner) {
        flatten(inner, depth - 1, to, meter);
      } else {
        to.add(element);
      }
    }
  }

  private static ListValue range(long count, Meter meter) {
    meter.charge(Math.max(0, count));
    meter.charge(CallCosts.LIST_CALL);
    var elements = new ArrayList<Object>();
    for (long i = 0; i < count; i++) {
      elements.add(i);
    }
    return BuiltList.of(elements);
  }

  private static ListValue reversed(ListValue list, Meter meter) {
    meter.charge(list.size() + CallCosts.LIST_CALL);
    var elements = new ArrayList<Object>();
    for (int i = list.size() - 1; i >= 0; i--) {
      elements.add(list.get(i));
    }
    return BuiltList.of(elements);
  }

  private static ListValue distinct(ListValue list, Meter meter) {
    var elements = new ArrayList<Object>();
    for (int i = 0; i < list.size(); i++) {
      Object element = list.get(i);
      boolean seen = false;
      for (int j = 0; j < elements.size() && !seen; j++) {
        seen = Equality.equal(elements.get(j), element, meter);
      }
      if (!seen) {
        elements.add(element);
      }
    }
    return BuiltList.of(elements);
  }

  private static ListValue sorted(ListValue list, ListValue by, Meter meter) {
    if (list.size() != by.size()) {
      throw new EvaluationError(
          "@sortByAssociatedKeys() expected a list of the same size as the associated keys list,"
              + " but got "
              + list.size()
              + " and "
              + by.size()
              + " elements respectively");
    }
    record Keyed(Object key, Object element) {}
    var keyed = new ArrayList<Keyed>();
    for (int i = 0; i < list.size(); i++) {
      Object key = by.get(i);
      if (!key.getClass().equals(by.get(0).getClass())) {
        throw new EvaluationError("list elements must have the same type");
      }
      keyed.add(new Keyed(key, list.get(i)));
    }
    if (keyed.size() == 1) {
      comparable(keyed.getFirst().key());
    }
    keyed.sort(
        Comparator.comparing(
            Keyed::key,
            (first, second) -> {
              meter.work(2);
              return compare(comparable(first), comparable(second));
            }));
    var elements = new ArrayList<Object>(keyed.size());
    keyed.forEach(pair -> elements.add(pair.element()));
    return BuiltList.of(elements);
  }

  private static Object comparable(Object value) {
    try {
      Ordering.compare(value, value);
      return value;
    } catch (EvaluationError e) {
      throw new EvaluationError("list elements must be comparable");
    }
  }

  private static OptionalValue end(ListValue list, int index) {
    return list.size() == 0 ? OptionalValue.NONE : OptionalValue.of(list.get(index));
  }

  private static boolean containsAll(ListValue list, ListValue part, Meter meter) {
    for (int i = 0; i < part.size(); i++) {
      if (!Equality.contains(list, part.get(i), meter)) {
        return false;
      }
    }
    return true;
  }

  private static boolean intersects(ListValue first, ListValue second, Meter meter) {
    for (int i = 0; i < first.size(); i++) {
      if (Equality.contains(second, first.get(i), meter)) {
        return true;
      }
    }
    return false;
  }

  /** What a list costs to be compared with itself, as sorting and weeding out do. */
  static long selfComparison(ListValue list) {
    double size = list.size();
    boolean texts =
        list.size() > 0 && (list.get(0) instanceof String || list.get(0) instanceof Octets);
    return (long) (size * size * (texts ? 2.1 : 2)) + CallCosts.LIST_CALL;
  }
}
