package dev.evenkeel.serve.cel.library;

import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.value.BuiltList;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.ListValue;
import dev.evenkeel.serve.cel.value.MapValue;
import dev.evenkeel.serve.cel.value.NullValue;
import dev.evenkeel.serve.cel.value.ObjectValue;
import dev.evenkeel.serve.cel.value.Octets;
import dev.evenkeel.serve.cel.value.OptionalValue;
import dev.evenkeel.serve.cel.value.Uint;
import java.time.Duration;
import java.util.ArrayList;

/** Functions of values that may be missing. */
final class Optionals {

  private Optionals() {}

  static void addTo(Library library) {
    library
        .declare("optional_of", "optional.of(V) -> optional(V)")
        .define("optional.of", (a, meter) -> OptionalValue.of(a[0]))
        .declare("optional_ofNonZeroValue", "optional.ofNonZeroValue(V) -> optional(V)")
        .define(
            "optional.ofNonZeroValue",
            (a, meter) -> isZero(a[0]) ? OptionalValue.NONE : OptionalValue.of(a[0]))
        .declare("optional_none", "optional.none() -> optional(V)")
        .define("optional.none", (a, meter) -> OptionalValue.NONE)
        .declare("optional_value", "optional(V)::value() -> V")
        .define("value", (a, meter) -> value(optional(a[0])))
        .declare("optional_hasValue", "optional(V)::hasValue() -> bool")
        .define("hasValue", (a, meter) -> optional(a[0]).value() != null)
        .declare("optional_or_optional", "optional(V)::or(optional(V)) -> optional(V)")
        .declare("optional_orValue_value", "optional(V)::orValue(V) -> V")
        .declare("optional_unwrap_list", "optional.unwrap(list(optional(V))) -> list(V)")
        .define("optional.unwrap", (a, meter) -> unwrapped(a[0], meter))
        .declare("optional_unwrapOpt_list", "list(optional(V))::unwrapOpt() -> list(V)")
        .define("unwrapOpt", (a, meter) -> unwrapped(a[0], meter))
        .declare("select_optional_field", "_?._(dyn, string) -> optional(V)")
        .declare("list_optindex_optional_int", "_[?_](list(V), int) -> optional(V)")
        .declare(
            "optional_list_optindex_optional_int", "_[?_](optional(list(V)), int) -> optional(V)")
        .declare("map_optindex_optional_value", "_[?_](map(K, V), K) -> optional(V)")
        .declare(
            "optional_map_optindex_optional_value", "_[?_](optional(map(K, V)), K) -> optional(V)")
        .declare("optional_list_index_int", "_[_](optional(list(V)), int) -> optional(V)")
        .declare("optional_map_index_value", "_[_](optional(map(K, V)), K) -> optional(V)");
  }

  static OptionalValue optional(Object value) {
    return Library.of(OptionalValue.class, value);
  }

  private static Object value(OptionalValue optional) {
    if (optional.value() == null) {
      throw new EvaluationError("optional.none() dereference");
    }
    return optional.value();
  }

  private static boolean isZero(Object value) {
    return switch (value) {
      case NullValue _ -> true;
      case Boolean bool -> !bool;
      case Long number -> number == 0;
      case Uint number -> number.bits() == 0;
      case Double number -> number == 0;
      case String text -> text.isEmpty();
      case Octets octets -> octets.size() == 0;
      case ListValue list -> list.size() == 0;
      case MapValue map -> map.size() == 0;
      case ObjectValue object -> object.fields().size() == 0;
      case Duration duration -> duration.isZero();
      case OptionalValue optional -> optional.value() == null;
      default -> false;
    };
  }

  private static ListValue unwrapped(Object value, Meter meter) {
    ListValue list = Library.of(ListValue.class, value);
    var present = new ArrayList<Object>();
    for (int i = 0; i < list.size(); i++) {
      meter.work(1);
      Object inner = optional(list.get(i)).value();
      if (inner != null) {
        present.add(inner);
      }
    }
    return BuiltList.of(present);
  }
}
