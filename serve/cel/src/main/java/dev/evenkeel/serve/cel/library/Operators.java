package dev.evenkeel.serve.cel.library;

import dev.evenkeel.serve.cel.comparison.Equality;
import dev.evenkeel.serve.cel.comparison.Ordering;
import dev.evenkeel.serve.cel.function.Implementation;
import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.value.BuiltMap;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.ListValue;
import dev.evenkeel.serve.cel.value.MapValue;
import dev.evenkeel.serve.cel.value.Octets;
import dev.evenkeel.serve.cel.value.OptionalValue;
import dev.evenkeel.serve.cel.value.Times;
import dev.evenkeel.serve.cel.value.Uint;
import dev.evenkeel.serve.cel.value.Values;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Arithmetic, comparison, look-up and size. */
public final class Operators {

  private Operators() {}

  static void addTo(Library library) {
    library
        .define("_==_", (a, meter) -> Equality.equal(a[0], a[1], meter))
        .define("_!=_", (a, meter) -> !Equality.equal(a[0], a[1], meter))
        .define("_<_", comparison(order -> order < 0))
        .define("_<=_", comparison(order -> order <= 0))
        .define("_>_", comparison(order -> order > 0))
        .define("_>=_", comparison(order -> order >= 0))
        .define("_+_", (a, meter) -> sum(a[0], a[1], meter))
        .define("_-_", (a, meter) -> difference(a[0], a[1]))
        .define("_*_", (a, meter) -> product(a[0], a[1]))
        .define("_/_", (a, meter) -> quotient(a[0], a[1]))
        .define("_%_", (a, meter) -> remainder(a[0], a[1]))
        .define("-_", (a, meter) -> negated(a[0]))
        .define("!_", (a, meter) -> !Library.of(Boolean.class, a[0]))
        .define("@in", (a, meter) -> in(a[0], a[1], meter))
        .define("_[_]", (a, meter) -> index(a[0], a[1]))
        .define("size", (a, meter) -> size(a[0], meter))
        .define("cel.@mapInsert", (a, meter) -> inserted(a, meter))
        .declare("@mapInsert_map_key_value", "cel.@mapInsert(map(K, V), K, V) -> map(K, V)")
        .declare("@mapInsert_map_map", "cel.@mapInsert(map(K, V), map(K, V)) -> map(K, V)");
  }

  private static Implementation comparison(IntPredicate accepts) {
    return (a, meter) -> {
      Integer order = Ordering.compare(a[0], a[1]);
      return order != null && accepts.test(order);
    };
  }

  static Object sum(Object first, Object second, Meter meter) {
    return switch (first) {
      case Long number when second instanceof Long other ->
          exact(() -> Math.addExact(number, other));
      case Double number when second instanceof Double other -> number + other;
      case Uint number when second instanceof Uint other -> {
        long sum = number.bits() + other.bits();
        if (Long.compareUnsigned(sum, number.bits()) < 0) {
          throw new EvaluationError("unsigned integer overflow");
        }
        yield new Uint(sum);
      }
      case String text when second instanceof String other -> text + other;
      case Octets octets when second instanceof Octets other -> {
        byte[] joined = Arrays.copyOf(octets.bytes(), octets.size() + other.size());
        System.arraycopy(other.bytes(), 0, joined, octets.size(), other.size());
        yield new Octets(joined);
      }
      case ListValue list when second instanceof ListValue other ->
          Equality.sum(list, other, meter);
      case Instant time when second instanceof Duration duration -> shifted(time, duration);
      case Duration duration when second instanceof Instant time -> shifted(time, duration);
      case Duration duration when second instanceof Duration other ->
          Times.checked(duration.plus(other));
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static Instant shifted(Instant time, Duration by) {
    try {
      return Times.checked(time.plus(by));
    } catch (DateTimeException | ArithmeticException e) {
      throw new EvaluationError("timestamp overflow");
    }
  }

  private static Object difference(Object first, Object second) {
    return switch (first) {
      case Long number when second instanceof Long other ->
          exact(() -> Math.subtractExact(number, other));
      case Double number when second instanceof Double other -> number - other;
      case Uint number when second instanceof Uint other -> {
        if (Long.compareUnsigned(number.bits(), other.bits()) < 0) {
          throw new EvaluationError("unsigned integer overflow");
        }
        yield new Uint(number.bits() - other.bits());
      }
      case Instant time when second instanceof Instant other ->
          Times.checked(Duration.between(other, time));
      case Instant time when second instanceof Duration duration ->
          shifted(time, duration.negated());
      case Duration duration when second instanceof Duration other ->
          Times.checked(duration.minus(other));
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static Object product(Object first, Object second) {
    return switch (first) {
      case Long number when second instanceof Long other ->
          exact(() -> Math.multiplyExact(number, other));
      case Double number when second instanceof Double other -> number * other;
      case Uint number when second instanceof Uint other -> {
        if (Math.unsignedMultiplyHigh(number.bits(), other.bits()) != 0) {
          throw new EvaluationError("unsigned integer overflow");
        }
        yield new Uint(number.bits() * other.bits());
      }
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static Object quotient(Object first, Object second) {
    return switch (first) {
      case Long number when second instanceof Long other -> {
        if (other == 0) {
          throw new EvaluationError("division by zero");
        }
        yield exact(() -> Math.divideExact(number, other));
      }
      case Double number when second instanceof Double other -> number / other;
      case Uint number when second instanceof Uint other -> {
        if (other.bits() == 0) {
          throw new EvaluationError("division by zero");
        }
        yield new Uint(Long.divideUnsigned(number.bits(), other.bits()));
      }
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static Object remainder(Object first, Object second) {
    return switch (first) {
      case Long number when second instanceof Long other -> {
        if (other == 0) {
          throw new EvaluationError("modulus by zero");
        }
        if (number == Long.MIN_VALUE && other == -1) {
          throw new EvaluationError("integer overflow");
        }
        yield number % other;
      }
      case Uint number when second instanceof Uint other -> {
        if (other.bits() == 0) {
          throw new EvaluationError("modulus by zero");
        }
        yield new Uint(Long.remainderUnsigned(number.bits(), other.bits()));
      }
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static Object negated(Object value) {
    return switch (value) {
      case Long number -> exact(() -> Math.negateExact(number));
      case Double number -> -number;
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  @FunctionalInterface
  private interface Arithmetic {
    long result();
  }

  private static Long exact(Arithmetic arithmetic) {
    try {
      return arithmetic.result();
    } catch (ArithmeticException e) {
      throw new EvaluationError("integer overflow");
    }
  }

  private static boolean in(Object value, Object container, Meter meter) {
    return switch (container) {
      case ListValue list -> Equality.contains(list, value, meter);
      case MapValue map -> map.find(value) != null;
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  /** {@code container[key]}. */
  static Object index(Object container, Object key) {
    return switch (container) {
      case OptionalValue optional ->
          optional.value() == null ? optional : OptionalValue.of(find(optional.value(), key));
      case ListValue list -> {
        Object element = find(list, key);
        if (element == null) {
          throw new EvaluationError("index out of bounds: " + Values.text(key));
        }
        yield element;
      }
      case MapValue map -> {
        Object value = map.find(key);
        if (value == null) {
          throw EvaluationError.noSuchKey(key);
        }
        yield value;
      }
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  /** The element or entry, or null if there is none. */
  public static @Nullable Object find(Object container, Object key) {
    return switch (container) {
      case ListValue list -> {
        Object place = key instanceof String ? "" : BuiltMap.key(key);
        if (!(place instanceof Long index)) {
          throw new EvaluationError(
              "unsupported index type '" + Values.typeName(key) + "' in list");
        }
        yield index < 0 || index >= list.size() ? null : list.get(index.intValue());
      }
      case MapValue map -> map.find(key);
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static long size(Object value, Meter meter) {
    return switch (value) {
      case String text -> {
        meter.text(text.length());
        yield Values.size(text);
      }
      case Octets _, ListValue _, MapValue _ -> Values.size(value);
      default -> throw EvaluationError.noSuchOverload();
    };
  }

  private static Object inserted(Object[] arguments, Meter meter) {
    BuiltMap target = Library.of(BuiltMap.class, arguments[0]);
    meter.work(6);
    if (arguments.length == 3) {
      target.insert(arguments[1], arguments[2]);
      return target;
    }
    MapValue entries = Library.of(MapValue.class, arguments[1]);
    for (Object key : entries.keys()) {
      meter.work(6);
      Object value = entries.find(key);
      if (value != null) {
        target.insert(key, value);
      }
    }
    return target;
  }
}
