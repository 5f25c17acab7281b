package dev.evenkeel.observe.feed;

/** Why a whole state was read. */
public enum SyncReason {
  /** Nothing was known yet. */
  FIRST,
  /** What came after the last known version is forgotten by the server (410). */
  EXPIRED,
  /** An event could not be read, or was older than the one before it. */
  DAMAGED,
  /** A version that the server has was waited for, and no watch brought it. */
  BEHIND
}
