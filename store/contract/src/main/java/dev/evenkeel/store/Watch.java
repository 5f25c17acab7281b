package dev.evenkeel.store;

import java.util.concurrent.CompletableFuture;

/**
 * A position in the store's history, moved on by its reader. A reader that does not call {@link
 * #next} costs the store at most a bounded window of its prefix; once its position is compacted, a
 * call fails with {@link StoreException.Compacted} unless the changes it lacks are still at hand. A
 * batch holds at most as much as the engine's own limit, and always whole transactions.
 */
public interface Watch extends AutoCloseable {

  /**
   * The next changes, as soon as there are any, or a progress mark: a batch without changes. Marks
   * come when asked for by {@link #requestProgress}, and by themselves from time to time while
   * other prefixes change.
   *
   * <p>One call at a time: a second one before the first is answered fails with {@link
   * StoreException.InvalidRequest}. After a failure (compacted, closed) the watch is over and every
   * further call fails alike.
   */
  CompletableFuture<WatchBatch> next();

  /**
   * Asks that {@link #next} answer soon even if nothing changed below the prefix, with a revision
   * at least as new as the store's at the time of this call.
   */
  void requestProgress();

  /** Lets go. A pending {@link #next} fails with {@link StoreException.Closed}. */
  @Override
  void close();
}
