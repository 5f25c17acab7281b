package dev.evenkeel.serve.cel.estimate;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.evenkeel.serve.cel.library.CallCosts;
import dev.evenkeel.serve.cel.type.DeclaredType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The most that an expression can cost. Rules whose estimate is too large are refused, so it is
 * part of the API and follows upstream's steps: the cost of each part, with the sizes that the
 * schema allows, where loops run as often as their range can have elements.
 */
public final class CostEstimate {

  /**
   * A variable of a loop.
   *
   * @param path where its data is in the schema, empty if nowhere
   */
  private record Local(List<String> path, @Nullable Range size, @Nullable Entries entries) {}

  /** Sizes of what is in a list or a map. */
  record Entries(Range key, Range value) {

    static @Nullable Entries either(@Nullable Entries first, @Nullable Entries second) {
      return first == null || second == null
          ? null
          : new Entries(first.key.or(second.key), first.value.or(second.value));
    }
  }

  private final CelAbstractSyntaxTree ast;
  private final Map<String, DeclaredType> variables;
  private final Map<Long, List<String>> paths = new HashMap<>();
  private final Map<Long, Range> sizes = new HashMap<>();
  private final Map<Long, Entries> entries = new HashMap<>();
  private final Map<String, Deque<Local>> locals = new HashMap<>();

  private CostEstimate(CelAbstractSyntaxTree ast, Map<String, DeclaredType> variables) {
    this.ast = ast;
    this.variables = variables;
  }

  /**
   * @param variables the data that paths begin in
   */
  public static long of(CelAbstractSyntaxTree ast, Map<String, DeclaredType> variables) {
    return new CostEstimate(ast, variables).cost(ast.getExpr()).max();
  }

  private Range cost(CelExpr expression) {
    return switch (expression.getKind()) {
      case CONSTANT, NOT_SET -> Range.ZERO;
      case IDENT -> ident(expression);
      case SELECT -> select(expression);
      case CALL -> call(expression);
      case LIST -> list(expression);
      case MAP -> map(expression);
      case STRUCT -> struct(expression);
      case COMPREHENSION -> fold(expression);
    };
  }

  private Range ident(CelExpr expression) {
    String name = expression.ident().name();
    Local local = local(name);
    paths.put(expression.id(), local == null ? List.of(name) : local.path());
    return Range.ONE;
  }

  private Range select(CelExpr expression) {
    CelExpr.CelSelect select = expression.select();
    Range sum = cost(select.operand());
    if (select.testOnly()) {
      return sum;
    }
    paths.put(expression.id(), path(select.operand(), select.field()));
    return switch (type(select.operand()).kind()) {
      case MAP, STRUCT, TYPE_PARAM -> sum.plus(Range.ONE);
      default -> sum;
    };
  }

  private Range call(CelExpr expression) {
    CelExpr.CelCall call = expression.call();
    if (call.function().equals("dyn") && call.args().size() == 1) {
      CelExpr argument = call.args().getFirst();
      Range cost = cost(argument).plus(Range.ONE);
      remember(expression, size(argument), entriesOf(argument));
      return cost;
    }
    var argumentCosts = new ArrayList<Range>();
    for (CelExpr argument : call.args()) {
      argumentCosts.add(cost(argument));
    }
    Range targetCost = call.target().map(this::cost).orElse(Range.ZERO);
    Range cost = null;
    Range resultSize = null;
    for (String overload : overloads(expression)) {
      CallEstimate.Result result =
          new CallEstimate(this, expression, overload, argumentCosts).result();
      cost = cost == null ? result.cost() : cost.or(result.cost());
      if (result.size() != null) {
        resultSize = resultSize == null ? result.size() : resultSize.or(result.size());
      }
      if (overload.equals("index_list") || overload.equals("index_map")) {
        boolean ofList = overload.equals("index_list");
        Entries inside = entriesOf(call.args().getFirst());
        resultSize = inside == null ? null : inside.value();
        paths.put(expression.id(), path(call.args().getFirst(), ofList ? "@items" : "@values"));
      }
      resultSize = resultSize == null ? size(expression) : resultSize;
    }
    remember(expression, resultSize, null);
    return cost == null ? Range.ZERO : targetCost.plus(cost);
  }

  List<String> overloads(CelExpr expression) {
    return ast.getReference(expression.id())
        .map(CelReference::overloadIds)
        .map(List::copyOf)
        .orElse(List.of());
  }

  private Range list(CelExpr expression) {
    Range sum = Range.of(CallCosts.LIST);
    Range item = null;
    for (CelExpr element : expression.list().elements()) {
      sum = sum.plus(cost(element));
      item = item == null ? sizeOrUnknown(element) : item.or(sizeOrUnknown(element));
    }
    remember(expression, null, new Entries(Range.ONE, item == null ? Range.ZERO : item));
    return sum;
  }

  private Range map(CelExpr expression) {
    Range sum = Range.of(CallCosts.MAP);
    Entries inside = null;
    for (CelExpr.CelMap.Entry entry : expression.map().entries()) {
      sum = sum.plus(cost(entry.key())).plus(cost(entry.value()));
      var sizes = new Entries(sizeOrUnknown(entry.key()), sizeOrUnknown(entry.value()));
      inside = inside == null ? sizes : Entries.either(inside, sizes);
    }
    remember(expression, null, inside == null ? new Entries(Range.ZERO, Range.ZERO) : inside);
    return sum;
  }

  private Range struct(CelExpr expression) {
    Range sum = Range.of(CallCosts.STRUCT);
    for (CelExpr.CelStruct.Entry entry : expression.struct().entries()) {
      sum = sum.plus(cost(entry.value()));
    }
    return sum;
  }

  private Range fold(CelExpr expression) {
    CelExpr.CelComprehension loop = expression.comprehension();
    CelExpr range = loop.iterRange();
    CelExpr start = loop.accuInit();
    Range sum = cost(range).plus(cost(start));
    if (isBinding(loop)) {
      push(loop.accuVar(), new Local(path(start), size(start), entriesOf(start)));
      sum = sum.plus(cost(loop.result()));
      pop(loop.accuVar());
      remember(expression, size(loop.result()), entriesOf(loop.result()));
      return sum;
    }
    push(loop.accuVar(), new Local(List.of(), size(start), entriesOf(start)));
    Entries inside = entriesOf(range);
    boolean ofList = type(range).kind() == CelKind.LIST;
    Local value =
        new Local(
            path(range, ofList ? "@items" : "@values"),
            inside == null ? null : inside.value(),
            null);
    Local key =
        new Local(
            path(range, ofList ? "@indices" : "@keys"), inside == null ? null : inside.key(), null);
    boolean two = !loop.iterVar2().isEmpty();
    push(loop.iterVar(), two || !ofList ? key : value);
    if (two) {
      push(loop.iterVar2(), value);
    }
    Range turn = cost(loop.loopCondition()).plus(cost(loop.loopStep()));
    pop(loop.iterVar());
    if (two) {
      pop(loop.iterVar2());
    }
    sum = sum.plus(cost(loop.result()));
    pop(loop.accuVar());
    Range turns = sizeOrUnknown(range);
    switch (start.getKind()) {
      case CONSTANT -> remember(expression, size(start), null);
      case LIST, MAP -> remember(expression, turns, entriesOf(loop.loopStep()));
      default -> {}
    }
    return sum.plus(turns.times(turn));
  }

  /** Some macros name a value with a loop that never turns. */
  private static boolean isBinding(CelExpr.CelComprehension loop) {
    return loop.iterRange().getKind() == CelExpr.ExprKind.Kind.LIST
        && loop.iterRange().list().elements().isEmpty()
        && loop.loopCondition().getKind() == CelExpr.ExprKind.Kind.CONSTANT
        && loop.loopCondition().constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
        && !loop.loopCondition().constant().booleanValue();
  }

  CelType type(CelExpr expression) {
    return ast.getType(expression.id()).orElse(SimpleType.DYN);
  }

  /** Where the data of an expression is in the schema; empty if nowhere. */
  List<String> path(CelExpr expression) {
    if (expression.getKind() == CelExpr.ExprKind.Kind.IDENT) {
      Local local = local(expression.ident().name());
      if (local != null) {
        return local.path();
      }
    }
    return paths.getOrDefault(expression.id(), List.of());
  }

  private List<String> path(CelExpr container, String step) {
    List<String> path = path(container);
    if (path.isEmpty()) {
      return path;
    }
    var longer = new ArrayList<>(path);
    longer.add(step);
    return longer;
  }

  private @Nullable Local local(String name) {
    Deque<Local> scope = locals.get(name);
    return scope == null ? null : scope.peek();
  }

  private void push(String name, Local local) {
    locals.computeIfAbsent(name, key -> new ArrayDeque<>()).push(local);
  }

  private void pop(String name) {
    Deque<Local> scope = locals.get(name);
    if (scope != null) {
      scope.pop();
    }
  }

  void remember(CelExpr expression, @Nullable Range size, @Nullable Entries inside) {
    if (size != null) {
      sizes.put(expression.id(), size);
    }
    if (inside != null) {
      entries.put(expression.id(), inside);
    }
  }

  Range sizeOrUnknown(CelExpr expression) {
    Range size = size(expression);
    return size == null ? Range.UNKNOWN : size;
  }

  @Nullable Range size(CelExpr expression) {
    Range known = sizes.get(expression.id());
    if (known == null) {
      known = literalSize(expression);
    }
    if (known == null) {
      known = sizeAt(path(expression));
    }
    if (known == null && isScalar(type(expression))) {
      known = Range.ONE;
    }
    if (known == null && expression.getKind() == CelExpr.ExprKind.Kind.IDENT) {
      Local local = local(expression.ident().name());
      known = local == null ? null : local.size();
    }
    return known;
  }

  private static @Nullable Range literalSize(CelExpr expression) {
    return switch (expression.getKind()) {
      case LIST -> Range.of(expression.list().elements().size());
      case MAP -> Range.of(expression.map().entries().size());
      case CONSTANT -> {
        CelConstant constant = expression.constant();
        yield switch (constant.getKind()) {
          case STRING_VALUE -> {
            String text = constant.stringValue();
            yield Range.of(text.codePointCount(0, text.length()));
          }
          case BYTES_VALUE -> Range.of(constant.bytesValue().size());
          default -> Range.ONE;
        };
      }
      default -> null;
    };
  }

  private static boolean isScalar(CelType type) {
    return switch (type.kind()) {
      case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
      default -> type instanceof OptionalType && isScalar(type.parameters().getFirst());
    };
  }

  /** The largest that data can be there; null if the schema does not say. */
  @Nullable Range sizeAt(List<String> path) {
    DeclaredType type = path.isEmpty() ? null : variables.get(path.getFirst());
    if (type == null) {
      return null;
    }
    for (String step : path.subList(1, path.size())) {
      if (type == null) {
        return null;
      }
      type =
          switch (step) {
            case "@items", "@values" -> type.element();
            case "@keys" -> type.kind() == DeclaredType.Kind.MAP ? DeclaredType.KEY : null;
            default -> {
              DeclaredType.Field field = type.fields().get(step);
              yield field == null ? null : field.type();
            }
          };
    }
    // Nothing is known of the size of data without a schema.
    return type == null || type.equals(DeclaredType.DYN) ? null : new Range(0, type.elementsMax());
  }

  @Nullable Entries entriesOf(CelExpr expression) {
    Entries known = entries.get(expression.id());
    if (known == null && expression.getKind() == CelExpr.ExprKind.Kind.IDENT) {
      Local local = local(expression.ident().name());
      return local == null ? null : local.entries();
    }
    return known;
  }
}
