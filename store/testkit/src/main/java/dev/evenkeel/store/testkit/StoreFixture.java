package dev.evenkeel.store.testkit;

import dev.evenkeel.store.Store;
import java.nio.file.Path;

/**
 * How the suite gets stores of one engine. A test makes as many as it needs and closes the stores
 * itself; {@link #close} clears away what is behind them.
 *
 * <p>Engines may share costly parts between tests: a store that {@link #open} returns holds no
 * keys, but its revision and its compacted revision may be anything.
 */
public interface StoreFixture extends AutoCloseable {

  /** A store without keys. */
  Store open();

  /** A store started from a file that {@link Store#snapshot} wrote. */
  Store restore(Path snapshotFile);

  /** The same store again after it was closed; only called where {@link #durable} says so. */
  default Store reopen(Store closed) {
    throw new UnsupportedOperationException("this engine keeps nothing: " + closed);
  }

  /** Whether what was committed outlives the store object, so that {@link #reopen} works. */
  boolean durable();

  /** Whether {@link #open} gives a store that nothing was ever written to. */
  default boolean startsAtFirstRevision() {
    return true;
  }

  /**
   * Whether a restored store has no history below its snapshot's revision and says so. An engine
   * whose snapshots carry the history answers false.
   */
  default boolean restoreForgetsHistory() {
    return true;
  }

  /** Lets go of what is behind the stores, files and processes included. */
  @Override
  void close();
}
