package dev.evenkeel.serve.cel.meter;

/**
 * What one evaluation has cost, and may cost.
 *
 * <p>Invariants: cost and work only grow; after the limit was passed every further charge ends the
 * evaluation. Threading: owned by the evaluation.
 */
public final class Meter {

  /*
   * Cost is counted as upstream counts it, so that the same rule passes or fails there and here. It
   * says nothing of some steps that take long: to compare two deep trees, to copy a list, to follow
   * every branch of a pattern. Those are counted as work, in steps of some twenty nanoseconds, and an
   * evaluation has cost the greater of both.
   */
  public static final long WORK_PER_COST = 4;

  /** Some twenty microseconds, so that ordinary rules cost exactly what they cost upstream. */
  private static final long WORK_FREE = 1_000;

  private static final int CHARACTERS_PER_WORK = 32;

  private final long costMax;
  private long cost;
  private long work;

  public Meter(long costMax) {
    this.costMax = costMax;
  }

  /**
   * @throws CostExceeded if that is more than may be spent
   */
  public void charge(long units) {
    cost += units;
    if (cost < 0 || cost > costMax) {
      throw new CostExceeded();
    }
  }

  /** Charges for steps that upstream has no price for. */
  public void work(long steps) {
    work += steps;
    if (work < 0 || workCost() > costMax) {
      throw new CostExceeded();
    }
  }

  /** Charges for looking at or making a text that upstream has no price for. */
  public void text(long characters) {
    work(1 + characters / CHARACTERS_PER_WORK);
  }

  public long spent() {
    return Math.max(cost, workCost());
  }

  private long workCost() {
    return (work - WORK_FREE) / WORK_PER_COST;
  }
}
