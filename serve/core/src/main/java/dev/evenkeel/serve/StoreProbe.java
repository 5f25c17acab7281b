package dev.evenkeel.serve;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.store.Store;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Whether the store answers. Asking never waits: it tells how the last question was answered, and
 * asks the next one. A question that is open for long counts as no answer.
 *
 * <p><b>Threading:</b> any thread.
 */
final class StoreProbe {

  private static final long PATIENCE_NANOS = Duration.ofSeconds(2).toNanos();

  private final Store store;
  private final Clock clock;
  private CompletableFuture<Long> question = CompletableFuture.completedFuture(0L);
  private long askedNanos;
  private boolean answered = true;

  StoreProbe(Store store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  synchronized boolean answers() {
    if (question.isDone()) {
      answered = !question.isCompletedExceptionally();
      question = store.currentRevision();
      askedNanos = clock.nanoTime();
      if (question.isDone()) {
        answered = !question.isCompletedExceptionally();
      }
    } else if (clock.nanoTime() - askedNanos > PATIENCE_NANOS) {
      answered = false;
    }
    return answered;
  }
}
