package dev.evenkeel.observe.feed;

/** How a feed is doing. */
public enum FeedState {
  /** It reads a whole state: at first, or because it cannot go on from where it was. */
  SYNCING,
  /** A watch is open. */
  LIVE,
  /** A whole state is known, and a watch is to be opened again. */
  RESUMING,
  /** It waits after a failure, and will try again: the last error says what happened. */
  BROKEN,
  /** It was closed. */
  CLOSED
}
