package dev.evenkeel.serve.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.ast.CelExpr;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Macros beyond the language's own: of optional values, of loops with two variables, of order. */
public final class Macros {

  private static final String UNUSED = "#unused";
  private static final String SORTED = "@__sortBy_input__";

  private Macros() {}

  public static List<CelMacro> all() {
    return List.of(
        CelMacro.newReceiverMacro("optMap", 2, (f, target, a) -> optional(f, target, a, true)),
        CelMacro.newReceiverMacro("optFlatMap", 2, (f, target, a) -> optional(f, target, a, false)),
        CelMacro.newReceiverMacro("sortBy", 2, Macros::sortBy),
        CelMacro.newReceiverMacro("all", 3, (f, target, a) -> quantifier(f, target, a, true)),
        CelMacro.newReceiverMacro("exists", 3, (f, target, a) -> quantifier(f, target, a, false)),
        CelMacro.newReceiverMacro("existsOne", 3, Macros::existsOne),
        CelMacro.newReceiverMacro("exists_one", 3, Macros::existsOne),
        CelMacro.newReceiverMacro("transformList", 3, Macros::transformList),
        CelMacro.newReceiverMacro("transformList", 4, Macros::transformList),
        CelMacro.newReceiverMacro("transformMap", 3, Macros::transformMap),
        CelMacro.newReceiverMacro("transformMap", 4, Macros::transformMap),
        CelMacro.newReceiverMacro("transformMapEntry", 3, Macros::transformMapEntry),
        CelMacro.newReceiverMacro("transformMapEntry", 4, Macros::transformMapEntry));
  }

  private static @Nullable String variable(CelExpr expression) {
    return expression.getKind() == CelExpr.ExprKind.Kind.IDENT ? expression.ident().name() : null;
  }

  private static Optional<CelExpr> optional(
      CelMacroExprFactory f, CelExpr target, ImmutableList<CelExpr> arguments, boolean wrap) {
    String name = variable(arguments.get(0));
    if (name == null) {
      return Optional.of(
          f.reportError(
              (wrap ? "optMap" : "optFlatMap") + "() variable name must be a simple identifier"));
    }
    CelExpr mapped =
        f.fold(
            UNUSED,
            f.newList(),
            name,
            f.newReceiverCall("value", f.copy(target)),
            f.newBoolLiteral(false),
            f.newIdentifier(name),
            arguments.get(1));
    return Optional.of(
        f.newGlobalCall(
            "_?_:_",
            f.newReceiverCall("hasValue", target),
            wrap ? f.newGlobalCall("optional.of", mapped) : mapped,
            f.newGlobalCall("optional.none")));
  }

  private static Optional<CelExpr> sortBy(
      CelMacroExprFactory f, CelExpr target, ImmutableList<CelExpr> arguments) {
    String name = variable(arguments.get(0));
    if (name == null) {
      return Optional.of(f.reportError("argument must be a simple name"));
    }
    CelExpr keys =
        f.fold(
            name,
            f.newIdentifier(SORTED),
            f.getAccumulatorVarName(),
            f.newList(),
            f.newBoolLiteral(true),
            f.newGlobalCall("_+_", accumulator(f), f.newList(arguments.get(1))),
            accumulator(f));
    return Optional.of(
        f.fold(
            UNUSED,
            f.newList(),
            SORTED,
            target,
            f.newBoolLiteral(false),
            f.newIdentifier(SORTED),
            f.newReceiverCall("@sortByAssociatedKeys", f.newIdentifier(SORTED), keys)));
  }

  private static CelExpr accumulator(CelMacroExprFactory f) {
    return f.newIdentifier(f.getAccumulatorVarName());
  }

  private static Optional<CelExpr> loop(
      CelMacroExprFactory f,
      CelExpr target,
      ImmutableList<CelExpr> arguments,
      CelExpr start,
      CelExpr condition,
      CelExpr step,
      CelExpr result) {
    String first = variable(arguments.get(0));
    String second = variable(arguments.get(1));
    if (first == null || second == null) {
      return Optional.of(f.reportError("argument must be a simple name"));
    }
    if (first.equals(second)) {
      return Optional.of(f.reportError("duplicate variable name: " + first));
    }
    return Optional.of(
        f.fold(first, second, target, f.getAccumulatorVarName(), start, condition, step, result));
  }

  private static Optional<CelExpr> quantifier(
      CelMacroExprFactory f, CelExpr target, ImmutableList<CelExpr> arguments, boolean all) {
    CelExpr goesOn = all ? accumulator(f) : f.newGlobalCall("!_", accumulator(f));
    return loop(
        f,
        target,
        arguments,
        f.newBoolLiteral(all),
        f.newGlobalCall("@not_strictly_false", goesOn),
        f.newGlobalCall(all ? "_&&_" : "_||_", accumulator(f), arguments.get(2)),
        accumulator(f));
  }

  private static Optional<CelExpr> existsOne(
      CelMacroExprFactory f, CelExpr target, ImmutableList<CelExpr> arguments) {
    return loop(
        f,
        target,
        arguments,
        f.newIntLiteral(0),
        f.newBoolLiteral(true),
        f.newGlobalCall(
            "_?_:_",
            arguments.get(2),
            f.newGlobalCall("_+_", accumulator(f), f.newIntLiteral(1)),
            accumulator(f)),
        f.newGlobalCall("_==_", accumulator(f), f.newIntLiteral(1)));
  }

  private static Optional<CelExpr> transformList(
      CelMacroExprFactory f, CelExpr target, ImmutableList<CelExpr> arguments) {
    CelExpr added = f.newGlobalCall("_+_", accumulator(f), f.newList(arguments.getLast()));
    return collect(f, target, arguments, f.newList(), added);
  }

  private static Optional<CelExpr> transformMap(
      CelMacroExprFactory f, CelExpr target, ImmutableList<CelExpr> arguments) {
    CelExpr added =
        f.newGlobalCall(
            "cel.@mapInsert", accumulator(f), f.copy(arguments.get(0)), arguments.getLast());
    return collect(f, target, arguments, f.newMap(), added);
  }

  private static Optional<CelExpr> transformMapEntry(
      CelMacroExprFactory f, CelExpr target, ImmutableList<CelExpr> arguments) {
    CelExpr added = f.newGlobalCall("cel.@mapInsert", accumulator(f), arguments.getLast());
    return collect(f, target, arguments, f.newMap(), added);
  }

  /** A loop that adds to its result, for each element or for those that a filter lets through. */
  private static Optional<CelExpr> collect(
      CelMacroExprFactory f,
      CelExpr target,
      ImmutableList<CelExpr> arguments,
      CelExpr start,
      CelExpr added) {
    CelExpr step =
        arguments.size() == 3
            ? added
            : f.newGlobalCall("_?_:_", arguments.get(2), added, accumulator(f));
    return loop(f, target, arguments, start, f.newBoolLiteral(true), step, accumulator(f));
  }
}
