package dev.evenkeel.serve.cel.library;

import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.serve.cel.function.CallCost;
import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.notation.Cidr;
import dev.evenkeel.serve.cel.value.ListValue;
import dev.evenkeel.serve.cel.value.MapValue;
import dev.evenkeel.serve.cel.value.Octets;
import dev.evenkeel.serve.cel.value.Opaque;
import dev.evenkeel.serve.cel.value.OptionalValue;
import dev.evenkeel.serve.cel.value.Values;

/**
 * What calls cost, by their arguments, in upstream's units: the same expression over the same data
 * must run out of its budget there and here. What depends on the result is charged where it is
 * made.
 */
public final class CallCosts {

  public static final long LIST = 10;
  public static final long MAP = 30;
  public static final long STRUCT = 40;

  /** Asking an authorizer: two checks are nearly all that an expression can afford. */
  public static final long CHECK = 350_000;

  /** Reading or writing a time. */
  static final int TIME_WORK = 60;

  /** A call that makes a list. */
  static final long LIST_CALL = 1 + LIST;

  private CallCosts() {}

  /** The price of looking at every character once. */
  public static long traversal(long size) {
    return (size + 9) / 10;
  }

  private static long regex(long size) {
    return (size + 3) / 4;
  }

  private static long traversal(Object value) {
    return traversal(Values.size(value));
  }

  /** What calls of a function cost; asked once, when an expression is compiled. */
  public static CallCost of(String function) {
    CallCost price = price(function);
    int work = work(function);
    return work == 0
        ? price
        : (a, meter) -> {
          meter.work(work);
          return price.of(a, meter);
        };
  }

  /** Texts that are read as something else, which is more than to look at their characters. */
  private static int work(String function) {
    return switch (function) {
      case "timestamp" -> TIME_WORK;
      case "semver", "isSemver", "url", "getQuery" -> 40;
      case "cidr", "isCIDR", "containsIP", "containsCIDR", "ip.isCanonical" -> 30;
      default -> 0;
    };
  }

  private static CallCost price(String function) {
    return switch (function) {
      case "_==_", "_!=_" ->
          (a, meter) -> a[0] instanceof Opaque || a[0] instanceof Quantity ? 1 : shorter(a);
      case "_<_", "_<=_", "_>_", "_>=_" ->
          (a, meter) -> a[0] instanceof String || a[0] instanceof Octets ? shorter(a) : 1;
      case "_+_" ->
          (a, meter) ->
              a[0] instanceof String || a[0] instanceof Octets
                  ? traversal(Values.size(a[0]) + Values.size(a[1]))
                  : 1;
      case "@in" -> (a, meter) -> a[1] instanceof ListValue list ? list.size() : 1;
      case "startsWith",
          "endsWith",
          "bytes",
          "strings.quote",
          "format",
          "url",
          "lowerAscii",
          "upperAscii",
          "substring",
          "trim",
          "cidr",
          "isIP",
          "isCIDR",
          "quantity",
          "isQuantity",
          "semver",
          "isSemver",
          "jsonpatch.escapeKey" ->
          (a, meter) -> traversal(a[0]);
      case "check" -> (a, meter) -> CHECK;
      case "fieldSelector", "labelSelector" -> (a, meter) -> selector(Values.size(a[1]));
      case "string" -> (a, meter) -> a[0] instanceof Octets ? traversal(a[0]) : 1;
      case "ip" -> (a, meter) -> a[0] instanceof Cidr ? 1 : traversal(a[0]);
      case "ip.isCanonical", "replace", "split" -> (a, meter) -> traversal(2 * Values.size(a[0]));
      case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" ->
          (a, meter) -> deep(a[0], meter);
      case "matches", "find", "findAll" ->
          (a, meter) ->
              Math.multiplyExact(traversal(1 + Values.size(a[0])), regex(Values.size(a[1])));
      case "contains" -> (a, meter) -> traversal(a[0]) * traversal(a[1]);
      case "containsIP" ->
          (a, meter) ->
              traversal(2 * Values.size(a[0])) + (a[1] instanceof String ? traversal(a[1]) : 0);
      case "containsCIDR" ->
          (a, meter) ->
              traversal(2 * Values.size(a[0]))
                  + traversal(a[0])
                  + 1
                  + (a[1] instanceof String ? traversal(a[1]) : 0);
      case "validate" ->
          (a, meter) ->
              a[0] instanceof Formats.Format format
                  ? traversal(1 + Values.size(a[1])) * regex(format.patternSize())
                  : 1;
      case "sets.equivalent" -> (a, meter) -> 1 + 2 * Values.size(a[0]) * Values.size(a[1]);
      case "sets.contains", "sets.intersects" ->
          (a, meter) -> 1 + Values.size(a[0]) * Values.size(a[1]);
      case "flatten" ->
          (a, meter) ->
              (a.length == 2 && a[1] instanceof Long depth ? Math.clamp(depth, 0, 1000) : 1)
                      * Values.size(a[0])
                  + LIST_CALL;
      case "sort", "distinct" ->
          (a, meter) -> a[0] instanceof ListValue list ? Lists.selfComparison(list) : 1;
      case "@sortByAssociatedKeys" ->
          (a, meter) -> a[1] instanceof ListValue list ? Lists.selfComparison(list) : 1;
      case "join", "slice", "lists.range" -> (a, meter) -> 0;
      case "reverse" -> (a, meter) -> a[0] instanceof String ? traversal(a[0]) : 0;
      default -> (a, meter) -> 1;
    };
  }

  /** A selector is a list of requirements, each of which takes two characters at least. */
  public static long selector(long size) {
    return LIST + traversal(size) + (size + 1) / 2 * (LIST + STRUCT);
  }

  private static long shorter(Object[] a) {
    return traversal(Math.min(Values.size(a[0]), Values.size(a[1])));
  }

  /** The price of looking at every part of a tree once. */
  private static long deep(Object value, Meter meter) {
    meter.work(1);
    return switch (value) {
      case String text -> text.length() / 10;
      case Octets octets -> octets.size() / 10;
      case ListValue list -> {
        long cost = 0;
        for (int i = 0; i < list.size(); i++) {
          cost += deep(list.get(i), meter);
        }
        yield cost;
      }
      case MapValue map -> {
        long cost = 0;
        for (Object key : map.keys()) {
          Object entry = map.find(key);
          cost += deep(key, meter) + (entry == null ? 0 : deep(entry, meter));
        }
        yield cost;
      }
      case OptionalValue optional -> optional.value() == null ? 1 : deep(optional.value(), meter);
      default -> 1;
    };
  }
}
