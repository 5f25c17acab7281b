package dev.evenkeel.prove.bench.api.toy;

/** What the toy does wrong, to one watcher and once. */
public enum Fault {
  NONE,
  /** An event is not sent. */
  DROP,
  /** An event is sent twice. */
  REPEAT,
  /** Two events change places. */
  SWAP,
  /** An event comes with a version that nobody wrote. */
  FALSIFY,
  /** The watch ends with the protocol's error. */
  EXPIRE,
  /** The watch ends in the middle of an event. */
  CUT,
  /** A change is answered with an error, though it was made. */
  DENY
}
