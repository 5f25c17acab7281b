package dev.evenkeel.serve.resident;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.serve.api.ApiResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests that take too long, so that a store that hangs does not hold clients for ever.
 *
 * <p><b>Invariants:</b> all have the same time, so they are due in the order they came.
 *
 * <p><b>Threading:</b> requests come from any thread; {@link #check} from one.
 */
public final class Deadlines {

  private final Clock clock;
  private final Duration time;
  private final ConcurrentLinkedQueue<Pending> pending = new ConcurrentLinkedQueue<>();
  final LongAdder missed = new LongAdder();

  /** Lets go of the answer as soon as there is one: the queue is looked at once a second only. */
  private static final class Pending {
    private final long dueNanos;
    private volatile @Nullable CompletableFuture<ApiResponse> answer;

    Pending(long dueNanos, CompletableFuture<ApiResponse> answer) {
      this.dueNanos = dueNanos;
      this.answer = answer;
    }
  }

  public Deadlines(Clock clock, Duration time) {
    this.clock = clock;
    this.time = time;
  }

  /** Makes sure that the answer comes in time, one way or the other. */
  public void watch(CompletableFuture<ApiResponse> answer) {
    var one = new Pending(clock.nanoTime() + time.toNanos(), answer);
    pending.add(one);
    var _ = answer.whenComplete((_, _) -> one.answer = null);
  }

  void check() {
    long now = clock.nanoTime();
    for (Pending first = pending.peek(); first != null; first = pending.peek()) {
      CompletableFuture<ApiResponse> answer = first.answer;
      if (answer != null && first.dueNanos - now > 0) {
        return;
      }
      var _ = pending.poll();
      if (answer != null) {
        missed.increment();
        answer.completeExceptionally(
            Status.timeout(
                    "the request did not complete within " + time.toSeconds() + " s", List.of(), 1)
                .asException());
      }
    }
  }
}
