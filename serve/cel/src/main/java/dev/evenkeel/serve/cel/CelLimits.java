package dev.evenkeel.serve.cel;

import java.util.Locale;

/**
 * How much expressions may cost. The numbers are part of the API: rules are written against them.
 */
public final class CelLimits {

  /** What one evaluation may cost, about a tenth of a second upstream. */
  public static final long CALL_COST_MAX = 1_000_000;

  /** What all evaluations of a request may cost together. */
  public static final long REQUEST_COST_MAX = 10_000_000;

  /** What all match conditions of one policy or webhook may cost together. */
  public static final long MATCH_CONDITIONS_COST_MAX = 2_500_000;

  /** What a rule of a custom kind may be estimated to cost. */
  public static final long RULE_ESTIMATE_MAX = 10_000_000;

  /** What all rules of a custom kind may be estimated to cost together. */
  public static final long KIND_ESTIMATE_MAX = 100_000_000;

  /** The longest message that an expression may make, in bytes. */
  public static final int MESSAGE_BYTES_MAX = 5 * 1024;

  private CelLimits() {}

  /** The product, or the largest number there is. */
  public static long multiplied(long estimate, long times) {
    return estimate == 0 || times <= Long.MAX_VALUE / estimate ? estimate * times : Long.MAX_VALUE;
  }

  /**
   * What to say of an estimate that is too large.
   *
   * @param name what was estimated, as {@code estimated rule cost}
   */
  public static String exceeded(String name, long estimate, long limit) {
    double factor = (double) estimate / limit;
    String shown =
        factor > 100
            ? "more than 100x"
            // With one digit a little too much would be shown as just enough.
            : String.format(Locale.ROOT, factor < 1.5 ? "%fx" : "%.1fx", factor);
    return name
        + " exceeds budget by factor of "
        + shown
        + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where"
        + " arrays, maps, and strings are declared)";
  }
}
