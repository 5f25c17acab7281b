package dev.evenkeel.decide.queue;

import java.time.Duration;

/** How the work on a key ended. */
public sealed interface Result {

  /** All is as it should be; nothing to do until something wakes the key. */
  record Settled() implements Result {}

  /** All went well, and the key wants another look. */
  record Again(Duration after, String why) implements Result {}

  /** It failed; the queue tries again, later each time, for as long as it takes. */
  record Failed(String why) implements Result {}

  /**
   * Something the work needs has too much to do. That is no fault of the key, and other keys should
   * not add to it.
   *
   * @param dependency what; {@link WorkQueue#SERVER} is what every key needs
   * @param retryAfter what it asked for, or zero
   */
  record Overloaded(String dependency, Duration retryAfter) implements Result {}
}
