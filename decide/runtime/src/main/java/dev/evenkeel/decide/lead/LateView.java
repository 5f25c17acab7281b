package dev.evenkeel.decide.lead;

import dev.evenkeel.decide.queue.Key;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that is not planned for, because what is known of the server is too old.
 *
 * @param key null if it is all that a controller has to do
 * @param what it waits for, for example {@code version 12 of pods, seen 10}
 * @param since when it has waited
 */
public record LateView(@Nullable Key key, String what, Instant since) {

  /** The cache of a kind has to come further. */
  public static String version(String kind, long version, long seen) {
    return "version " + version + " of " + kind + ", seen " + seen;
  }

  public Duration lasted(Instant now) {
    return Duration.between(since, now);
  }

  /** In words, at a time. */
  public String text(Instant now) {
    return "waiting for " + what + ", for " + Math.max(0, lasted(now).toSeconds()) + " s";
  }
}
