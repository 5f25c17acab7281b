package dev.evenkeel.serve.cel.estimate;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.evenkeel.serve.cel.type.DeclaredType;
import java.util.Map;

/** The most that an expression can cost. */
public final class CostEstimate {

  private CostEstimate() {}

  public static long of(CelAbstractSyntaxTree ast, Map<String, DeclaredType> variables) {
    return Long.MAX_VALUE;
  }
}
