package dev.evenkeel.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a transaction ended. */
public sealed interface TxnResult {

  /** The store's revision when it was decided. */
  long revision();

  /**
   * All comparisons held.
   *
   * @param revision the writes' revision, or the store's current one where nothing changed
   * @param changed whether anything did: false for a transaction without writes, or with nothing
   *     but deletes of keys that were not there
   */
  record Committed(long revision, boolean changed) implements TxnResult {}

  /**
   * Nothing was changed.
   *
   * @param failures every comparison that did not hold, in the transaction's order
   */
  record Rejected(long revision, List<Failure> failures) implements TxnResult {}

  /**
   * A comparison that did not hold.
   *
   * @param current the key as it stood at the result's revision, null if it was not there
   */
  record Failure(Compare compare, @Nullable KeyValue current) {}
}
