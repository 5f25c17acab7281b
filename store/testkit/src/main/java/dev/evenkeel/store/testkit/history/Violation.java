package dev.evenkeel.store.testkit.history;

/** Something in a history that cannot be true of a store that keeps its promises. */
public record Violation(Kind kind, String sentence) {

  /** Which promise was broken. */
  public enum Kind {
    /** An acknowledged change is not in the history. */
    LOST_WRITE,
    /** A change is in the history that nobody made, or whose maker was told it did not happen. */
    PHANTOM_WRITE,
    /** One transaction took effect at two revisions. */
    WRITTEN_TWICE,
    /** Two transactions were told the same revision. */
    REVISION_REUSED,
    /** What changed is not what the transaction asked for: in part, or otherwise. */
    WRONG_CHANGE,
    /** Committed or rejected against its own comparisons. */
    WRONG_DECISION,
    /** A read's content is not the state at the revision it names. */
    WRONG_READ,
    /** An answer is older than what was known when the call began. */
    STALE_ANSWER,
    /** A change took a revision that was known before the call began. */
    REVISION_WENT_BACK,
    /** A call failed with something else than the store's own exceptions. */
    FOREIGN_FAILURE,
    /** A watch's revisions go back. */
    WATCH_ORDER,
    /** A watch delivered a change again. */
    WATCH_REPEAT,
    /** A watch passed a change without delivering it. */
    WATCH_GAP,
    /** A watch delivered a part of a transaction. */
    WATCH_SPLIT,
    /** A watch delivered what did not happen, or not so. */
    WATCH_WRONG_EVENT,
    /** A watch stopped short of where it should have come. */
    WATCH_STALLED
  }

  @Override
  public String toString() {
    return kind + ": " + sentence;
  }
}
