package dev.evenkeel.serve.cel.library;

import static dev.evenkeel.serve.cel.library.Library.string;

import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.kernel.quantity.QuantityException;
import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.notation.Semver;
import dev.evenkeel.serve.cel.value.EvaluationError;

/** Functions of quantities; those that only order are shared with versions. */
final class Quantities {

  private static final String TYPE = "kubernetes.Quantity";

  /** What cannot be read is found out by an exception. */
  private static final int UNREADABLE_WORK = 100;

  private Quantities() {}

  static void addTo(Library library) {
    library
        .declare("string_to_quantity", "quantity(string) -> " + TYPE)
        .define("quantity", (a, meter) -> parsed(string(a[0])))
        .declare("is_quantity_string", "isQuantity(string) -> bool")
        .define("isQuantity", (a, meter) -> isQuantity(string(a[0]), meter))
        // Upstream declares it as a function and documents it as a method: both work here.
        .declare("quantity_sign", "sign(" + TYPE + ") -> int")
        .declare("quantity_sign_method", TYPE + "::sign() -> int")
        .define("sign", (a, meter) -> (long) quantity(a[0]).signum())
        .declare("quantity_is_greater_than", TYPE + "::isGreaterThan(" + TYPE + ") -> bool")
        .declare("quantity_is_less_than", TYPE + "::isLessThan(" + TYPE + ") -> bool")
        .declare("quantity_compare_to", TYPE + "::compareTo(" + TYPE + ") -> int")
        .define("isGreaterThan", (a, meter) -> compare(a[0], a[1]) > 0)
        .define("isLessThan", (a, meter) -> compare(a[0], a[1]) < 0)
        .define("compareTo", (a, meter) -> (long) Integer.signum(compare(a[0], a[1])))
        .declare("quantity_get_float", TYPE + "::asApproximateFloat() -> double")
        .define("asApproximateFloat", (a, meter) -> quantity(a[0]).value().doubleValue())
        .declare("quantity_get_int", TYPE + "::asInteger() -> int")
        .define("asInteger", (a, meter) -> integer(quantity(a[0])))
        .declare("quantity_is_integer", TYPE + "::isInteger() -> bool")
        .define("isInteger", (a, meter) -> isInteger(quantity(a[0])))
        .declare("quantity_add", TYPE + "::add(" + TYPE + ") -> " + TYPE)
        .declare("quantity_add_int", TYPE + "::add(int) -> " + TYPE)
        .define("add", (a, meter) -> quantity(a[0]).plus(operand(a[1])))
        .declare("quantity_sub", TYPE + "::sub(" + TYPE + ") -> " + TYPE)
        .declare("quantity_sub_int", TYPE + "::sub(int) -> " + TYPE)
        .define("sub", (a, meter) -> quantity(a[0]).minus(operand(a[1])));
  }

  private static boolean isQuantity(String text, Meter meter) {
    boolean read = Quantity.tryParse(text) != null;
    meter.work(read ? 0 : UNREADABLE_WORK);
    return read;
  }

  private static Quantity parsed(String text) {
    try {
      return Quantity.parse(text);
    } catch (QuantityException e) {
      throw new EvaluationError(String.valueOf(e.getMessage()));
    }
  }

  private static Quantity quantity(Object value) {
    return Library.of(Quantity.class, value);
  }

  private static Quantity operand(Object value) {
    return value instanceof Long number ? Quantity.of(number) : quantity(value);
  }

  private static int compare(Object first, Object second) {
    return first instanceof Semver version
        ? version.compareTo(Library.of(Semver.class, second))
        : quantity(first).compareTo(quantity(second));
  }

  private static boolean isInteger(Quantity quantity) {
    return quantity.isWhole() && quantity.value().toBigInteger().bitLength() < 64;
  }

  private static Long integer(Quantity quantity) {
    if (!isInteger(quantity)) {
      throw new EvaluationError("cannot convert value to integer");
    }
    return quantity.value().longValue();
  }
}
