package dev.evenkeel.observe.feed;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a feed is doing, at one moment.
 *
 * @param version up to which all changes have been told; 0 before the first state
 * @param quiet how long ago the last event, bookmark or piece of a list came
 * @param streaming whether states come as a stream; otherwise as lists
 * @param syncs whole states that were asked for, by reason
 * @param resumes how often a watch was opened from where the last one ended
 * @param stuck how often a watch was replaced because nothing came
 * @param behind how often one was replaced because it did not bring what the server has
 * @param failures in a row, since the last success
 */
public record FeedFigures(
    FeedState state,
    long version,
    Duration quiet,
    boolean streaming,
    long events,
    Map<SyncReason, Long> syncs,
    long resumes,
    long stuck,
    long behind,
    int failures,
    @Nullable LastError lastError) {

  /** The last thing that went wrong. */
  public record LastError(Instant time, String message) {}

  public FeedFigures {
    syncs = Map.copyOf(syncs);
  }
}
