package dev.evenkeel.store.testkit.history;

import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.TxnResult;

/** What a client was told. */
public sealed interface Outcome {

  record Decided(TxnResult result) implements Outcome {}

  record Got(GetResult result) implements Outcome {}

  record Ranged(RangeResult result) implements Outcome {}

  record Revision(long revision) implements Outcome {}

  /** It did not happen, and never will. */
  record Failed(StoreException reason) implements Outcome {}

  /**
   * It may have happened or may yet: an unknown outcome, or a client that died before the answer.
   */
  record Unknown(String reason) implements Outcome {}

  /** It failed with something that no future of a store may fail with. */
  record Broken(Throwable reason) implements Outcome {}

  /** How a failed call is to be understood. */
  static Outcome ofFailure(Throwable failure) {
    return switch (failure) {
      case StoreException.UnknownOutcome unknown -> new Unknown(String.valueOf(unknown));
      case StoreException definite -> new Failed(definite);
      default -> new Broken(failure);
    };
  }
}
