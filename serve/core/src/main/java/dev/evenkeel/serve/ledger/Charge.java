package dev.evenkeel.serve.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What one write changes in one ledger. Pure: asked again whenever the ledger turns out to be
 * another.
 */
public interface Charge<L> {

  /** The ledger's name, which is the rest of its key. */
  String ledger();

  /** Whether something is used or given back; otherwise the ledger is made, or set right. */
  default boolean isOfUse() {
    return true;
  }

  /** Whether it was worked out for a ledger like this one; if not, the write is decided anew. */
  default boolean isFor(@Nullable L ledger) {
    return true;
  }

  /** Whether the ledger does not allow it. */
  default boolean isRefusedBy(@Nullable L ledger) {
    return false;
  }

  /** Whether the ledger may be charged now; if not, it is counted first. */
  default boolean isReady(@Nullable L ledger) {
    return true;
  }

  /** The ledger with the charge; null if there is none then. */
  @Nullable L charged(@Nullable L ledger);
}
