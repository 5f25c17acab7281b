package dev.evenkeel.store.testkit.history;

import java.util.ArrayList;
import java.util.List;

/**
 * Says whether a history can be true of a store that keeps its promises: commits and newest reads
 * are linearizable, and watches are ordered, unique, reliable, atomic, resumable and bookmarkable.
 *
 * <p>An empty list means that it can. Values must be unique: no two puts of a history write the
 * same value to the same key.
 */
/*
 * Why this is linear and still complete. Deciding linearizability is hard in general because the
 * order in which operations took effect is unknown and must be searched for. Here every answer claims
 * a place in one total order: a change is at its revision, and an answer that changed nothing (a read
 * of the newest, a rejection, a commit without effect) stands between its revision and the next. So
 * there is nothing to search; the claim is checked instead:
 *
 * 1. Content. Replay all changes in order of revision on a model. Each change must be what its
 *    transaction asks for in the state before it, its comparisons included; each other answer must be
 *    what the model gives at its revision.
 * 2. Real time. If A returned before B began, then A's place is before B's: B's revision is at least
 *    A's, and greater where B is a change. (Answers at one revision that change nothing can stand in
 *    any order among themselves, so in that of time.) It is enough to compare B with the greatest
 *    revision that anybody had been told of before B began; batches of watches count as told, since
 *    whoever hears of a revision reads at least that one from then on.
 *
 * If both hold, the claimed order is a legal sequential run that agrees with real time: that is
 * linearizability. If one fails, the store has claimed something false, which the contract forbids
 * even where some other order would do.
 *
 * Unknown outcomes may be in the order or not. They are found by their unique values in the store's
 * own account of its changes; those found are judged like all changes, except that they never
 * returned, so nothing has to come after them. Whatever failed for certain must not be found. The
 * account itself is a watch over everything, read at the end. It is not trusted: a change that was
 * acknowledged and is not in it is lost, one in it that nobody can have made is a phantom.
 *
 * Cost: O(n log n) in calls and deliveries.
 */
public final class HistoryChecker {

  private HistoryChecker() {}

  /** What cannot be true, as readable sentences. */
  public static List<Violation> check(History history) {
    var violations = new ArrayList<Violation>();
    var replay = new Replay(history, violations);
    replay.run();
    new CallCheck(history, replay, violations).run();
    for (History.Reader reader : history.readers()) {
      new WatchCheck(history, replay.model(), reader, violations).run();
    }
    return List.copyOf(violations);
  }
}
