package dev.evenkeel.observe.feed;

import dev.evenkeel.kernel.env.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a feed does.
 *
 * <p><b>Threading:</b> the feed's loop writes, anybody reads, under the lock.
 */
final class Gauge {

  private final Clock clock;
  private final Map<SyncReason, Long> syncs = new EnumMap<>(SyncReason.class);
  private FeedState state = FeedState.SYNCING;
  private FeedFigures.@Nullable LastError lastError;
  private long signNanos;
  private long version;
  private long events;
  private long resumes;
  private long stuck;
  private long behind;
  private int failures;
  private boolean streaming = true;

  Gauge(Clock clock) {
    this.clock = clock;
    this.signNanos = clock.nanoTime();
  }

  synchronized void sign(long nowNanos) {
    signNanos = nowNanos;
  }

  synchronized void event(long newVersion) {
    events++;
    version = newVersion;
  }

  synchronized void reached(long newVersion) {
    version = newVersion;
  }

  synchronized void state(FeedState newState) {
    state = newState;
  }

  synchronized void sync(SyncReason reason) {
    syncs.merge(reason, 1L, Long::sum);
  }

  synchronized void resume() {
    resumes++;
  }

  synchronized void stuck() {
    stuck++;
  }

  synchronized void behind() {
    behind++;
  }

  synchronized void listsOnly() {
    streaming = false;
  }

  synchronized void failed(String message, int inARow) {
    failures = inARow;
    lastError = new FeedFigures.LastError(clock.now(), message);
  }

  synchronized void succeeded() {
    failures = 0;
  }

  synchronized FeedFigures figures() {
    return new FeedFigures(
        state,
        version,
        Duration.ofNanos(Math.max(0, clock.nanoTime() - signNanos)),
        streaming,
        events,
        syncs,
        resumes,
        stuck,
        behind,
        failures,
        lastError);
  }
}
