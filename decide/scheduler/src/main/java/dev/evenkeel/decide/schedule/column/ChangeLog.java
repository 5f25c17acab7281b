package dev.evenkeel.decide.schedule.column;

/**
 * Which slots changed, in order. Readers remember a position and read on from there.
 *
 * <p><b>Invariants</b>: the position only grows; the last {@value #CHANGES_MAX} changes are there,
 * unless all slots changed at once after them.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
public final class ChangeLog {

  /** Who lags behind more looks at everything. */
  public static final int CHANGES_MAX = 1 << 15;

  private final int[] ring = new int[CHANGES_MAX];
  private long next;
  private long oldest;

  public void add(int slot) {
    ring[(int) (next & (CHANGES_MAX - 1))] = slot;
    next++;
    oldest = Math.max(oldest, next - CHANGES_MAX);
  }

  /** All that was computed before is to be computed again. */
  public void everythingChanged() {
    next++;
    oldest = next;
  }

  /** Where the next change will be. */
  public long next() {
    return next;
  }

  /** Whether all changes from this position on are there. */
  public boolean reachesBackTo(long position) {
    return position >= oldest;
  }

  public int at(long position) {
    return ring[(int) (position & (CHANGES_MAX - 1))];
  }
}
