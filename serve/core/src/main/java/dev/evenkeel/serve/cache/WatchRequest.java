package dev.evenkeel.serve.cache;

import java.time.Duration;

/**
 * What a watch is to show.
 *
 * @param start where it begins
 * @param bookmarks whether it gets bookmarks
 * @param timeout when it ends by itself
 */
public record WatchRequest(
    Scope scope, Start start, Representation representation, boolean bookmarks, Duration timeout) {

  /** Where a watch begins. */
  public sealed interface Start {

    /** After a revision, with the changes since. */
    record After(long revision) implements Start {}

    /**
     * With the state as of at least a revision, as ADDED events.
     *
     * @param announceEnd whether a bookmark tells where that state ends
     */
    record State(long notOlderThan, boolean announceEnd) implements Start {}
  }
}
