package dev.evenkeel.serve.cel;

/**
 * What the evaluations of one request may still cost together.
 *
 * <p>Invariants: it only shrinks; an evaluation that wanted more than was left leaves nothing.
 * Threading: owned by the request.
 */
public final class CelBudget {

  private long remaining;

  public CelBudget(long costMax) {
    this.remaining = costMax;
  }

  /** Upstream's budget for the rules of an object, or for a policy. */
  public static CelBudget ofRequest() {
    return new CelBudget(CelLimits.REQUEST_COST_MAX);
  }

  public long remaining() {
    return remaining;
  }

  void spend(long cost) {
    remaining = Math.max(0, remaining - cost);
  }
}
