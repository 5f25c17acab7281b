package dev.evenkeel.serve.cel.plan;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeType;
import dev.evenkeel.serve.cel.function.Implementation;
import dev.evenkeel.serve.cel.library.CallCosts;
import dev.evenkeel.serve.cel.library.Library;
import dev.evenkeel.serve.cel.notation.CompiledPattern;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.NullValue;
import dev.evenkeel.serve.cel.value.Octets;
import dev.evenkeel.serve.cel.value.Times;
import dev.evenkeel.serve.cel.value.TypeValue;
import dev.evenkeel.serve.cel.value.Uint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes a {@link Plan} of a checked expression, once. */
final class Planner {

  /** Steps within steps are Java's calls within calls, and its stack has an end. */
  static final int DEPTH_MAX = 400;

  private static final Set<String> TAKES_PATTERN = Set.of("matches", "find", "findAll");

  private final CelAbstractSyntaxTree ast;
  private final Map<String, List<Integer>> scopes = new HashMap<>();
  private int slots;
  private int depth;
  private int formats;

  Planner(CelAbstractSyntaxTree ast) {
    this.ast = ast;
  }

  int slots() {
    return slots;
  }

  /**
   * @throws PlanException if it cannot be run
   */
  Node plan(CelExpr expression) {
    if (++depth > DEPTH_MAX) {
      throw new PlanException(expression.id(), "expression recursion limit exceeded");
    }
    Node node =
        switch (expression.getKind()) {
          case CONSTANT -> new Node.Literal(constant(expression.constant()));
          case IDENT -> name(expression.id(), expression.ident().name());
          case SELECT -> select(expression);
          case CALL -> call(expression);
          case LIST -> list(expression.list());
          case MAP -> map(expression.map());
          case STRUCT -> struct(expression.struct());
          case COMPREHENSION -> fold(expression.comprehension());
          case NOT_SET -> throw new PlanException(expression.id(), "unsupported expression");
        };
    depth--;
    return node;
  }

  private static Object constant(CelConstant constant) {
    return switch (constant.getKind()) {
      case NULL_VALUE -> NullValue.NULL;
      case BOOLEAN_VALUE -> constant.booleanValue();
      case INT64_VALUE -> constant.int64Value();
      case UINT64_VALUE -> new Uint(constant.uint64Value().longValue());
      case DOUBLE_VALUE -> constant.doubleValue();
      case STRING_VALUE -> constant.stringValue();
      case BYTES_VALUE -> new Octets(constant.bytesValue().toByteArray());
      default -> throw new IllegalArgumentException(constant.getKind().toString());
    };
  }

  private Node name(long id, String written) {
    List<Integer> scope = scopes.get(written);
    if (scope != null && !scope.isEmpty()) {
      return new Node.Local(scope.getLast());
    }
    String name = ast.getReference(id).map(CelReference::name).orElse(written);
    return ast.getType(id).orElse(null) instanceof TypeType type && isTypeName(name, type)
        ? new Node.Literal(new TypeValue(name))
        : new Node.Variable(name);
  }

  private static boolean isTypeName(String name, TypeType type) {
    return name.equals(type.type().name()) || TYPE_NAMES.contains(name);
  }

  private static final Set<String> TYPE_NAMES =
      Set.of(
          "bool",
          "int",
          "uint",
          "double",
          "string",
          "bytes",
          "list",
          "map",
          "null_type",
          "type",
          "optional_type",
          "google.protobuf.Timestamp",
          "google.protobuf.Duration");

  private Node select(CelExpr expression) {
    CelExpr.CelSelect select = expression.select();
    Optional<CelReference> qualified = ast.getReference(expression.id());
    if (qualified.isPresent() && qualified.get().overloadIds().isEmpty()) {
      return name(expression.id(), qualified.get().name());
    }
    Node operand = plan(select.operand());
    return select.testOnly()
        ? new Node.Has(operand, select.field())
        : new Node.Select(operand, select.field());
  }

  private Node call(CelExpr expression) {
    CelExpr.CelCall call = expression.call();
    var arguments = new ArrayList<Node>();
    boolean format = call.function().equals("format");
    formats += format ? 1 : 0;
    call.target().ifPresent(target -> arguments.add(plan(target)));
    for (CelExpr argument : call.args()) {
      arguments.add(plan(argument));
    }
    formats -= format ? 1 : 0;
    return switch (call.function()) {
      case "_&&_" -> new Node.Logic(arguments.get(0), arguments.get(1), false);
      case "_||_" -> new Node.Logic(arguments.get(0), arguments.get(1), true);
      case "_?_:_" -> new Node.Conditional(arguments.get(0), arguments.get(1), arguments.get(2));
      case "@not_strictly_false" -> new Node.NotStrictlyFalse(arguments.getFirst());
      case "or" -> new Node.Or(arguments.get(0), arguments.get(1), false);
      case "orValue" -> new Node.Or(arguments.get(0), arguments.get(1), true);
      case "_[?_]" -> new Node.OptionalIndex(arguments.get(0), arguments.get(1));
      case "_?._" ->
          new Node.OptionalSelect(
              arguments.getFirst(), call.args().get(1).constant().stringValue());
      default -> function(expression, arguments);
    };
  }

  private Node function(CelExpr expression, List<Node> arguments) {
    String function = expression.call().function();
    ImmutableList<String> overloads =
        ast.getReference(expression.id()).map(CelReference::overloadIds).orElse(ImmutableList.of());
    Implementation implementation = Library.implementation(function, overloads);
    if (implementation == null) {
      throw new PlanException(expression.id(), "unsupported function: " + function);
    }
    if (TAKES_PATTERN.contains(function)
        && arguments.get(1) instanceof Node.Literal literal
        && literal.value() instanceof String pattern) {
      try {
        arguments.set(1, new Node.Literal(CompiledPattern.of(pattern)));
      } catch (EvaluationError e) {
        throw new PlanException(argument(expression, 1), "invalid " + function + " argument");
      }
    }
    if (arguments.size() == 1
        && arguments.getFirst() instanceof Node.Literal literal
        && literal.value() instanceof String text) {
      checkLiteral(expression, function, text);
    }
    return new Node.Call(CallCosts.of(function), implementation, List.copyOf(arguments));
  }

  /** What cannot be read will never be: better said when it is written than when it is run. */
  private static void checkLiteral(CelExpr expression, String function, String text) {
    try {
      switch (function) {
        case "duration" -> Times.duration(text);
        case "timestamp" -> Times.timestamp(text);
        default -> {}
      }
    } catch (EvaluationError e) {
      throw new PlanException(argument(expression, 0), "invalid " + function + " argument");
    }
  }

  private static long argument(CelExpr expression, int index) {
    CelExpr.CelCall call = expression.call();
    return call.args().get(call.target().isPresent() ? index - 1 : index).id();
  }

  private Node list(CelExpr.CelList list) {
    var optional = new ArrayList<Boolean>();
    var elements = new ArrayList<Node>();
    for (int i = 0; i < list.elements().size(); i++) {
      optional.add(list.optionalIndices().contains(i));
      elements.add(plan(list.elements().get(i)));
      checkSameType(list.elements().getFirst(), list.elements().get(i));
    }
    return new Node.MakeList(List.copyOf(elements), List.copyOf(optional));
  }

  /** Kubernetes allows literals of mixed types only where they are to be formatted. */
  private void checkSameType(CelExpr first, CelExpr other) {
    if (formats == 0) {
      String expected = typeName(first);
      String found = typeName(other);
      if (!expected.equals(found)) {
        throw new PlanException(
            other.id(), "expected type '" + expected + "' but found '" + found + "'");
      }
    }
  }

  private String typeName(CelExpr expression) {
    CelType type = ast.getType(expression.id()).orElse(SimpleType.DYN);
    return CelTypes.format(type instanceof OptionalType ? type.parameters().getFirst() : type);
  }

  private Node map(CelExpr.CelMap map) {
    var entries = new ArrayList<Node.Entry>();
    for (CelExpr.CelMap.Entry entry : map.entries()) {
      entries.add(new Node.Entry(plan(entry.key()), plan(entry.value()), entry.optionalEntry()));
      checkSameType(map.entries().getFirst().key(), entry.key());
      checkSameType(map.entries().getFirst().value(), entry.value());
    }
    return new Node.MakeMap(List.copyOf(entries));
  }

  private Node struct(CelExpr.CelStruct struct) {
    var entries = new ArrayList<Node.Entry>();
    for (CelExpr.CelStruct.Entry entry : struct.entries()) {
      entries.add(
          new Node.Entry(
              new Node.Literal(entry.fieldKey()), plan(entry.value()), entry.optionalEntry()));
    }
    return new Node.MakeObject(struct.messageName(), List.copyOf(entries));
  }

  private Node fold(CelExpr.CelComprehension loop) {
    Node range = plan(loop.iterRange());
    Node start = plan(loop.accuInit());
    int result = open(loop.accuVar());
    int first = open(loop.iterVar());
    int second = loop.iterVar2().isEmpty() ? -1 : open(loop.iterVar2());
    Node goesOn = plan(loop.loopCondition());
    Node step = plan(loop.loopStep());
    if (second >= 0) {
      close(loop.iterVar2());
    }
    close(loop.iterVar());
    Node end = plan(loop.result());
    close(loop.accuVar());
    return new Node.Fold(range, first, second, result, start, goesOn, step, end);
  }

  private int open(String name) {
    scopes.computeIfAbsent(name, key -> new ArrayList<>()).add(slots);
    return slots++;
  }

  private void close(String name) {
    List<Integer> scope = scopes.get(name);
    if (scope != null) {
      scope.removeLast();
    }
  }
}
