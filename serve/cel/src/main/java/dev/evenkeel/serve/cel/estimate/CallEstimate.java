package dev.evenkeel.serve.cel.estimate;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.evenkeel.serve.cel.library.CallCosts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one overload of a call can cost. */
final class CallEstimate {

  /**
   * @param size of what the call makes, null if nothing is known of it
   */
  record Result(Range cost, @Nullable Range size) {}

  private static final double TEXT = 0.1;
  private static final double PATTERN = 0.25;
  private static final Range ADDRESS = new Range(4, 16);
  private static final int FORMAT_PATTERN = 128;
  private static final int FORMAT_SIZE_MAX = 64;

  private final CostEstimate estimate;
  private final CelExpr expression;
  private final String function;
  private final String overload;
  private final List<CelExpr> operands;
  private final int arguments;
  private final List<Range> costs;

  CallEstimate(
      CostEstimate estimate, CelExpr expression, String overload, List<Range> argumentCosts) {
    this.estimate = estimate;
    this.expression = expression;
    this.function = expression.call().function();
    this.overload = overload;
    this.operands = new ArrayList<>(expression.call().target().stream().toList());
    this.operands.addAll(expression.call().args());
    this.arguments = expression.call().args().size();
    this.costs = argumentCosts;
  }

  Result result() {
    Result own = operator();
    if (own != null) {
      return own;
    }
    Result called = library();
    Range sum = called.cost();
    for (Range cost : costs) {
      sum = sum.plus(cost);
    }
    return new Result(sum, called.size());
  }

  /** Operators that do not look at all of their arguments. */
  private @Nullable Result operator() {
    return switch (function) {
      case "_&&_", "_||_" ->
          new Result(new Range(costs.get(0).min(), costs.get(0).plus(costs.get(1)).max()), null);
      case "_?_:_" -> {
        CelExpr then = operands.get(1);
        CelExpr otherwise = operands.get(2);
        estimate.remember(
            expression,
            null,
            CostEstimate.Entries.either(estimate.entriesOf(then), estimate.entriesOf(otherwise)));
        yield new Result(costs.get(0).plus(costs.get(1).or(costs.get(2))), size(1).or(size(2)));
      }
      default -> null;
    };
  }

  private Range size(int operand) {
    return estimate.sizeOrUnknown(operands.get(operand));
  }

  private Range text(int operand) {
    return size(operand).times(TEXT);
  }

  private static Result cost(Range cost) {
    return new Result(cost, null);
  }

  private Result library() {
    return switch (function) {
      case "_==_", "_!=_" -> equality();
      case "_<_", "_<=_", "_>_", "_>=_" -> isOfTexts() ? cost(shorter()) : cost(Range.ONE);
      case "_+_" -> sum();
      case "@in" -> cost(overload.equals("in_list") ? size(1) : Range.ONE);
      case "startsWith", "endsWith" -> cost(text(1));
      case "contains" -> cost(text(0).times(text(1)));
      case "matches" -> operands.size() == 2 && arguments == 1 ? cost(pattern()) : cost(Range.ONE);
      case "find", "findAll" -> new Result(pattern(), new Range(0, size(0).max()));
      case "bytes" ->
          isOfTexts()
              ? new Result(text(0), new Range(size(0).min(), size(0).times(4.0).max()))
              : cost(Range.ONE);
      case "string" ->
          type(0).kind() == CelKind.BYTES
              ? new Result(text(0), new Range(size(0).min() / 4, size(0).max()))
              : cost(Range.ONE);
      case "strings.quote" -> new Result(text(0), size(0).times(Range.of(2)).plus(Range.of(2)));
      case "format" -> cost(text(0));
      case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> cost(traversal());
      case "check" -> cost(Range.of(CallCosts.CHECK));
      case "fieldSelector", "labelSelector" -> cost(selector());
      case "url", "jsonpatch.escapeKey", "lowerAscii", "upperAscii", "substring", "trim" ->
          new Result(text(0), size(0));
      case "replace" -> new Result(size(0).times(2 * TEXT), replaced());
      case "split" -> new Result(size(0).times(2 * TEXT), new Range(0, splits()));
      case "join" -> new Result(joined().times(TEXT), joined());
      case "cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver" ->
          cost(text(0));
      case "ip" -> cost(overload.equals("cidr_ip") ? Range.ONE : text(0));
      case "ip.isCanonical" -> cost(size(0).times(2 * TEXT));
      case "containsIP" -> cost(network().plus(parsed("cidr_contains_ip_string")));
      case "containsCIDR" ->
          cost(
              network()
                  .plus(ADDRESS.times(TEXT))
                  .plus(Range.ONE)
                  .plus(parsed("cidr_contains_cidr_string")));
      case "validate" -> cost(text(1).times(FORMAT_PATTERN * PATTERN));
      case "sets.equivalent" -> cost(size(0).times(size(1)).times(2.0).plus(Range.ONE));
      case "sets.contains", "sets.intersects" -> cost(size(0).times(size(1)).plus(Range.ONE));
      case "slice" -> made(sliced(), 1);
      case "flatten" -> made(size(0), depth());
      case "lists.range" -> made(ranged(), 1);
      case "reverse" -> made(size(0), 1);
      case "distinct" -> made(size(0).times(size(0)), 2);
      case "sort" -> made(size(0).times(size(0)), sortFactor(0));
      case "@sortByAssociatedKeys" -> made(size(1).times(size(1)), sortFactor(1));
      default -> cost(Range.ONE);
    };
  }

  private CelType type(int operand) {
    return estimate.type(operands.get(operand));
  }

  private boolean isOfTexts() {
    CelKind kind = type(0).kind();
    return overload.contains("string") || overload.contains("bytes") || kind == CelKind.STRING;
  }

  private Range shorter() {
    long max = Math.min(size(0).max(), size(1).max());
    return new Range(max > 0 ? 1 : 0, max).times(TEXT);
  }

  private Result equality() {
    if (function.equals("_==_") && type(0).kind() == CelKind.OPAQUE) {
      return cost(
          switch (type(0).name()) {
            case "kubernetes.NamedFormat" -> new Range(1, FORMAT_SIZE_MAX).times(TEXT);
            case "kubernetes.URL" -> new Range(1, size(1).max()).times(TEXT);
            default -> Range.ONE;
          });
    }
    return cost(shorter());
  }

  private Result sum() {
    boolean lists = overload.equals("add_list");
    if (!lists && !overload.equals("add_string") && !overload.equals("add_bytes")) {
      return cost(Range.ONE);
    }
    Range size = size(0).plus(size(1));
    estimate.remember(
        expression,
        null,
        CostEstimate.Entries.either(
            estimate.entriesOf(operands.get(0)), estimate.entriesOf(operands.get(1))));
    return new Result(lists ? Range.ONE : size.times(TEXT), size);
  }

  private Range selector() {
    Range requirements = size(1).times(0.5).times(CallCosts.LIST + CallCosts.STRUCT);
    return Range.of(CallCosts.LIST).plus(text(1)).plus(requirements);
  }

  private Range pattern() {
    return size(0).plus(Range.ONE).times(TEXT).times(size(1).times(PATTERN));
  }

  /** One for each element, and its length where elements are texts. */
  private Range traversal() {
    if (!(type(0) instanceof ListType list)) {
      return text(0);
    }
    Range element = Range.ONE;
    if (list.elemType().kind() == CelKind.STRING || list.elemType().kind() == CelKind.BYTES) {
      element = element.plus(elementSize().times(TEXT));
    }
    return size(0).times(element);
  }

  private Range elementSize() {
    var path = new ArrayList<>(estimate.path(operands.getFirst()));
    if (!path.isEmpty()) {
      path.add("@items");
    }
    Range size = estimate.sizeAt(path);
    return size == null ? Range.UNKNOWN : size;
  }

  private Range replaced() {
    Range text = size(0);
    Range old = size(1);
    Range with = size(2);
    long most;
    long kept = 0;
    if (old.min() == 0) {
      most = text.plus(Range.ONE).max();
      kept = text.max();
    } else if (with.max() <= old.min()) {
      most = 0;
      kept = text.max();
    } else {
      most = (long) Math.ceil((double) text.max() / old.min());
    }
    return new Range(0, Range.of(most).times(with).plus(Range.of(kept)).max());
  }

  private long splits() {
    return operands.size() > 2 && literal(2) != null ? Math.max(0, literal(2)) : size(0).max();
  }

  private @Nullable Long literal(int operand) {
    CelExpr argument = operands.get(operand);
    return argument.getKind() == CelExpr.ExprKind.Kind.CONSTANT
            && argument.constant().getKind() == CelConstant.Kind.INT64_VALUE
        ? (Long) argument.constant().int64Value()
        : null;
  }

  private Range joined() {
    Range list = size(0);
    Range size = list.times(elementSize());
    if (operands.size() > 1) {
      Range separators = new Range(Math.max(0, list.min() - 1), Math.max(0, list.max() - 1));
      size = size.plus(size(1).times(separators));
    }
    return size;
  }

  private static Range network() {
    return ADDRESS.plus(ADDRESS).times(TEXT);
  }

  private Range parsed(String textual) {
    return overload.equals(textual) ? text(1) : Range.ZERO;
  }

  private Result made(Range size, double factor) {
    return new Result(size.times(factor).plus(Range.of(1 + CallCosts.LIST)), size);
  }

  private Range sliced() {
    Long from = literal(1);
    Long to = literal(2);
    return from != null && to != null && to >= from ? Range.of(to - from) : size(0);
  }

  private Range ranged() {
    Long count = literal(0);
    return count == null ? Range.UNKNOWN : Range.of(Math.max(0, count));
  }

  private double depth() {
    if (operands.size() == 1) {
      return 1;
    }
    Long depth = literal(1);
    return depth == null ? Double.MAX_VALUE : Math.max(0, depth);
  }

  private double sortFactor(int operand) {
    CelKind kind = type(operand) instanceof ListType list ? list.elemType().kind() : CelKind.DYN;
    return kind == CelKind.STRING || kind == CelKind.BYTES ? 2 + TEXT : 2;
  }
}
