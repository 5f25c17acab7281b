package dev.evenkeel.decide.guard;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Notices a reconciler that goes round in circles on one object, and says how long to leave it
 * alone. There are two circles: the same plan on the same findings over and over, as when two
 * controllers undo each other's work; and one that is woken by nothing but its own writes, as when
 * a status says what time it is.
 *
 * <p><b>Invariants:</b> an object of which nothing new is asked for acts at most {@link #TURNS_MAX}
 * times in a {@link #WINDOW} before it is left alone, each time twice as long up to {@link
 * #HOLD_MAX}. A new generation begins anew.
 *
 * <p><b>Threading:</b> owned by the runner's loop.
 */
public final class LoopGuard {

  /** So often it may do the same. A rollout that takes ten steps takes ten different ones. */
  static final int TURNS_MAX = 10;

  static final Duration WINDOW = Duration.ofSeconds(10);
  static final Duration HOLD_FIRST = Duration.ofSeconds(1);
  static final Duration HOLD_MAX = Duration.ofMinutes(1);

  /** Different plans that are told apart in a window; one that loops has few. */
  private static final int PLANS_MAX = 32;

  private long generation = -1;
  private Instant windowBegun = Instant.EPOCH;
  private final Map<Integer, Integer> turns = new HashMap<>(4);
  private int ownTurns;
  private int holds;
  private int heldPlan;
  private Instant heldUntil = Instant.EPOCH;

  /** How long the object is still left alone; null if it may be looked at. */
  public @Nullable Duration held(long generationNow, Instant now) {
    return generationNow == generation && now.isBefore(heldUntil)
        ? Duration.between(now, heldUntil)
        : null;
  }

  /** A look found nothing to do. One that stays so for a while is trusted again. */
  public void rested(Instant now) {
    ownTurns = 0;
    if (now.isAfter(heldUntil.plus(WINDOW))) {
      holds = 0;
    }
  }

  /**
   * A look did something, and all of it succeeded.
   *
   * @param plan what was done on which findings, as a number
   * @param wokenByItself whether nothing but its own last write woke it
   * @return how long to leave the object alone; null if there is no need
   */
  public @Nullable Duration turned(
      long generationNow, int plan, boolean wokenByItself, Instant now) {
    if (generationNow != generation) {
      generation = generationNow;
      turns.clear();
      ownTurns = 0;
      holds = 0;
    }
    if (!now.isBefore(windowBegun.plus(WINDOW))) {
      windowBegun = now;
      turns.clear();
      ownTurns = 0;
    }
    int same =
        turns.size() < PLANS_MAX || turns.containsKey(plan)
            ? turns.merge(plan, 1, Integer::sum)
            : 1;
    ownTurns = wokenByItself ? ownTurns + 1 : 0;
    boolean again = holds > 0 && (plan == heldPlan || wokenByItself);
    if (!again && same < TURNS_MAX && ownTurns < TURNS_MAX) {
      return null;
    }
    holds++;
    heldPlan = plan;
    Duration hold = HOLD_FIRST.multipliedBy(1L << Math.min(holds - 1, 10));
    hold = hold.compareTo(HOLD_MAX) > 0 ? HOLD_MAX : hold;
    heldUntil = now.plus(hold);
    return hold;
  }
}
