package dev.evenkeel.serve.cel.plan;

import dev.evenkeel.serve.cel.function.CallCost;
import dev.evenkeel.serve.cel.function.Implementation;
import dev.evenkeel.serve.cel.library.CallCosts;
import dev.evenkeel.serve.cel.library.Operators;
import dev.evenkeel.serve.cel.type.MutationTypes;
import dev.evenkeel.serve.cel.value.BuiltList;
import dev.evenkeel.serve.cel.value.BuiltMap;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.ListValue;
import dev.evenkeel.serve.cel.value.MapValue;
import dev.evenkeel.serve.cel.value.ObjectValue;
import dev.evenkeel.serve.cel.value.OptionalValue;
import dev.evenkeel.serve.cel.value.PatchValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A step of an expression. Steps are immutable; each charges for itself, before it does what it
 * charges for.
 */
sealed interface Node {

  Object evaluate(Frame frame);

  record Literal(Object value) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      return value;
    }
  }

  record Variable(String name) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      frame.meter().charge(1);
      return frame.variable(name);
    }
  }

  record Local(int slot) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      frame.meter().charge(1);
      return frame.local(slot);
    }
  }

  record Select(Node operand, String field) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      Object target = operand.evaluate(frame);
      frame.meter().charge(1);
      return switch (target) {
        case MapValue map -> {
          Object value = map.find(field);
          if (value == null) {
            throw EvaluationError.noSuchKey(field);
          }
          yield value;
        }
        case OptionalValue optional -> found(optional, field);
        case ObjectValue object -> object.field(field);
        case PatchValue patch -> patch.field(field);
        default -> throw EvaluationError.noSuchOverload();
      };
    }

    private static OptionalValue found(OptionalValue optional, String field) {
      return switch (optional.value()) {
        case null -> OptionalValue.NONE;
        case MapValue map -> OptionalValue.of(map.find(field));
        case ObjectValue object -> OptionalValue.of(object.fields().find(field));
        case PatchValue patch -> OptionalValue.of(patch.find(field));
        default -> throw EvaluationError.noSuchOverload();
      };
    }
  }

  /** {@code a.?b}. */
  record OptionalSelect(Node operand, String field) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      Object target = operand.evaluate(frame);
      frame.meter().charge(1);
      return Select.found(
          target instanceof OptionalValue optional ? optional : OptionalValue.of(target), field);
    }
  }

  /** {@code a[?b]}. */
  record OptionalIndex(Node operand, Node key) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      Object target = operand.evaluate(frame);
      Object at = key.evaluate(frame);
      frame.meter().charge(1);
      Object container = target instanceof OptionalValue optional ? optional.value() : target;
      return container == null
          ? OptionalValue.NONE
          : OptionalValue.of(Operators.find(container, at));
    }
  }

  /** {@code has(a.b)}, which upstream gives away for nothing. */
  record Has(Node operand, String field) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      Object target = operand.evaluate(frame);
      frame.meter().work(1);
      return switch (target) {
        case MapValue map -> map.find(field) != null;
        case OptionalValue optional -> Select.found(optional, field).value() != null;
        case ObjectValue _, PatchValue _ ->
            Select.found(OptionalValue.of(target), field).value() != null;
        default -> throw EvaluationError.noSuchOverload();
      };
    }
  }

  /** {@code &&} and {@code ||}: one side can decide whatever became of the other. */
  record Logic(Node left, Node right, boolean decisive) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      EvaluationError failed = null;
      try {
        if (isDecisive(left.evaluate(frame))) {
          return decisive;
        }
      } catch (EvaluationError e) {
        failed = e;
      }
      if (isDecisive(right.evaluate(frame))) {
        return decisive;
      }
      if (failed != null) {
        throw failed;
      }
      return !decisive;
    }

    private boolean isDecisive(Object value) {
      if (value instanceof Boolean bool) {
        return bool == decisive;
      }
      throw EvaluationError.noSuchOverload();
    }
  }

  record Conditional(Node condition, Node then, Node otherwise) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      if (condition.evaluate(frame) instanceof Boolean bool) {
        return (bool ? then : otherwise).evaluate(frame);
      }
      throw EvaluationError.noSuchOverload();
    }
  }

  /** Whether a loop may still come to another result. */
  record NotStrictlyFalse(Node operand) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      frame.meter().charge(1);
      try {
        return !Boolean.FALSE.equals(operand.evaluate(frame));
      } catch (EvaluationError e) {
        return true;
      }
    }
  }

  /** {@code a.orValue(b)} and {@code a.or(b)}: the second is looked at only if needed. */
  record Or(Node operand, Node otherwise, boolean unwrap) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      Object target = operand.evaluate(frame);
      frame.meter().charge(1);
      if (!(target instanceof OptionalValue optional)) {
        throw EvaluationError.noSuchOverload();
      }
      Object value = optional.value();
      return value == null ? otherwise.evaluate(frame) : unwrap ? value : optional;
    }
  }

  record Call(CallCost cost, Implementation implementation, List<Node> arguments) implements Node {

    /** What cannot be read is mostly found out by an exception of Java's, which takes long. */
    private static final int FAILURE_WORK = 100;

    @Override
    public Object evaluate(Frame frame) {
      Object[] values = new Object[arguments.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = arguments.get(i).evaluate(frame);
      }
      frame.meter().charge(cost.of(values, frame.meter()));
      try {
        return implementation.call(values, frame.meter());
      } catch (EvaluationError e) {
        frame.meter().work(FAILURE_WORK);
        throw e;
      }
    }
  }

  /**
   * @param optional for each element whether it is left out if it is none
   */
  record MakeList(List<Node> elements, List<Boolean> optional) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      frame.meter().charge(CallCosts.LIST);
      var values = new ArrayList<Object>(elements.size());
      for (int i = 0; i < elements.size(); i++) {
        Object value = elements.get(i).evaluate(frame);
        if (!optional.get(i)) {
          values.add(value);
        } else if (value instanceof OptionalValue wrapped) {
          if (wrapped.value() != null) {
            values.add(wrapped.value());
          }
        } else {
          throw EvaluationError.noSuchOverload();
        }
      }
      return BuiltList.of(values);
    }
  }

  /** An entry of a map; the key of a field is its name. */
  record Entry(Node key, Node value, boolean optional) {}

  record MakeMap(List<Entry> entries) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      frame.meter().charge(CallCosts.MAP);
      return BuiltMap.of(evaluated(entries, frame));
    }

    private static Map<Object, Object> evaluated(List<Entry> entries, Frame frame) {
      var values = new LinkedHashMap<Object, Object>();
      for (Entry entry : entries) {
        Object key = BuiltMap.key(entry.key().evaluate(frame));
        Object value = entry.value().evaluate(frame);
        if (entry.optional()) {
          if (!(value instanceof OptionalValue wrapped)) {
            throw EvaluationError.noSuchOverload();
          }
          if (wrapped.value() == null) {
            continue;
          }
          value = wrapped.value();
        }
        if (values.putIfAbsent(key, value) != null) {
          throw new EvaluationError("Failed with repeated key: " + key);
        }
      }
      return values;
    }
  }

  /** {@code Object.spec{...}}, {@code JSONPatch{...}} or an object of a schema. */
  record MakeObject(String typeName, List<Entry> fields) implements Node {
    @Override
    public Object evaluate(Frame frame) {
      frame.meter().charge(CallCosts.STRUCT);
      Map<Object, Object> values = MakeMap.evaluated(fields, frame);
      if (typeName.equals(MutationTypes.PATCH)) {
        return PatchValue.of(values);
      }
      return MutationTypes.isObject(typeName)
          ? new ObjectValue(typeName, BuiltMap.of(values))
          : BuiltMap.object(typeName, values);
    }
  }

  /**
   * A loop.
   *
   * @param second the slot of the second variable, negative if there is one variable only
   */
  record Fold(
      Node range, int first, int second, int result, Node start, Node goesOn, Node step, Node end)
      implements Node {

    @Override
    public Object evaluate(Frame frame) {
      Object over = range.evaluate(frame);
      frame.set(result, start.evaluate(frame));
      switch (over) {
        case ListValue list -> {
          for (int i = 0; i < list.size() && goesOn(frame); i++) {
            frame.set(first, second < 0 ? list.get(i) : (Object) (long) i);
            if (second >= 0) {
              frame.set(second, list.get(i));
            }
            turn(frame);
          }
        }
        case MapValue map -> {
          for (Object key : map.keys()) {
            if (!goesOn(frame)) {
              break;
            }
            frame.set(first, key);
            if (second >= 0) {
              Object value = map.find(key);
              frame.set(second, value == null ? OptionalValue.NONE : value);
            }
            turn(frame);
          }
        }
        default -> throw EvaluationError.noSuchOverload();
      }
      return end.evaluate(frame);
    }

    private boolean goesOn(Frame frame) {
      frame.meter().work(2);
      return Boolean.TRUE.equals(goesOn.evaluate(frame));
    }

    private void turn(Frame frame) {
      try {
        frame.set(result, step.evaluate(frame));
      } catch (EvaluationError e) {
        if (goesOn instanceof Literal) {
          throw e;
        }
        frame.set(result, e);
      }
    }
  }
}
