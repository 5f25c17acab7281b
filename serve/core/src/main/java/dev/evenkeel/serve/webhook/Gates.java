package dev.evenkeel.serve.webhook;

import dev.evenkeel.kernel.env.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * How many calls of one webhook are under way at a time. Whoever finds it full waits for a moment:
 * one that answers in time is through with a burst by then, and one that hangs holds up only those
 * who called it first.
 *
 * <p><b>Invariants:</b> at most {@link #CALLS_MAX} calls of one webhook are under way; nobody waits
 * for a place longer than {@link #WAIT}.
 *
 * <p><b>Threading:</b> any; the gates are kept under the lock.
 */
final class Gates {

  static final int CALLS_MAX = 50;
  static final Duration WAIT = Duration.ofSeconds(1);

  private final Loop loop;
  private final Map<String, Gate> gates = new HashMap<>();

  private static final class Gate {
    private int underWay;
    private final ArrayDeque<CompletableFuture<Boolean>> waiting = new ArrayDeque<>();
  }

  Gates(Loop loop) {
    this.loop = loop;
  }

  /** Calls once there is a place. Fails with a {@link Outside.CallException} if there is none. */
  <T> CompletableFuture<T> through(String who, Supplier<CompletableFuture<T>> call) {
    CompletableFuture<Boolean> place;
    synchronized (gates) {
      Gate gate = gates.computeIfAbsent(who, _ -> new Gate());
      if (gate.underWay < CALLS_MAX) {
        gate.underWay++;
        place = null;
      } else {
        place = new CompletableFuture<>();
        gate.waiting.add(place);
      }
    }
    if (place == null) {
      return called(who, call);
    }
    CompletableFuture<Boolean> waited = place;
    Loop.Timer timer;
    try {
      timer = loop.runLater(WAIT, () -> waited.complete(false));
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
    return waited.thenCompose(
        had -> {
          timer.cancel();
          return had
              ? called(who, call)
              : CompletableFuture.failedFuture(
                  new Outside.CallException(
                      CALLS_MAX
                          + " calls of it are under way, and none ended within "
                          + WAIT.toSeconds()
                          + " second"));
        });
  }

  private <T> CompletableFuture<T> called(String who, Supplier<CompletableFuture<T>> call) {
    CompletableFuture<T> answer;
    try {
      answer = call.get();
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return answer.whenComplete((_, _) -> leave(who));
  }

  private void leave(String who) {
    CompletableFuture<Boolean> next;
    do {
      synchronized (gates) {
        Gate gate = gates.get(who);
        if (gate == null) {
          return;
        }
        next = gate.waiting.poll();
        if (next == null) {
          gate.underWay--;
          if (gate.underWay == 0) {
            gates.remove(who);
          }
          return;
        }
      }
      // Who gave up meanwhile does not take the place.
    } while (!next.complete(true));
  }
}
