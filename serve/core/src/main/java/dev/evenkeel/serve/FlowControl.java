package dev.evenkeel.serve;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.BodyStream;
import dev.evenkeel.serve.request.Target;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Keeps what is under way within the limits: beyond them a client is told to try again, instead of
 * everyone being served more slowly.
 *
 * <p><b>Threading:</b> any.
 */
final class FlowControl {

  /** Requests of one class. */
  static final class Lane {
    private final String name;
    private final int max;
    private final AtomicInteger running = new AtomicInteger();
    final LongAdder total = new LongAdder();
    final LongAdder refused = new LongAdder();

    private Lane(String name, int max) {
      this.name = name;
      this.max = max;
    }

    String name() {
      return name;
    }

    int max() {
      return max;
    }

    int running() {
      return running.get();
    }

    private void enter() {
      if (running.incrementAndGet() > max) {
        running.decrementAndGet();
        refused.increment();
        throw Status.tooManyRequests(
                "too many " + name + " are under way (limit " + max + "), please try again later",
                1)
            .asException();
      }
      total.increment();
    }

    private void leave() {
      running.decrementAndGet();
    }
  }

  final Lane reads;
  final Lane writes;
  final Lane watches;

  /** Of their own: a leader that cannot renew because others write much would lose its lease. */
  final Lane leases;

  FlowControl(ServerLimits limits) {
    this.reads = new Lane("reads", limits.readsMax());
    this.writes = new Lane("writes", limits.writesMax());
    this.watches = new Lane("watches", limits.watchesMax());
    this.leases = new Lane("leases", limits.writesMax());
  }

  CompletableFuture<ApiResponse> within(
      String verb, Target.Resource target, Supplier<CompletableFuture<ApiResponse>> work) {
    Lane lane =
        switch (verb) {
          case "watch" -> watches;
          case "list" -> reads;
          case "get" -> isLease(target) ? leases : reads;
          default -> isLease(target) ? leases : writes;
        };
    lane.enter();
    CompletableFuture<ApiResponse> answer;
    try {
      answer = work.get();
    } catch (RuntimeException | StackOverflowError e) {
      lane.leave();
      throw e;
    }
    if (answer.isDone() && !answer.isCompletedExceptionally()) {
      return CompletableFuture.completedFuture(released(lane, answer.join()));
    }
    return answer
        .whenComplete(
            (_, failure) -> {
              if (failure != null) {
                lane.leave();
              }
            })
        .thenApply(response -> released(lane, response));
  }

  private static boolean isLease(Target.Resource target) {
    return target.plural().equals("leases") && target.group().equals("coordination.k8s.io");
  }

  /** A stream is under way until its last byte is taken. */
  private static ApiResponse released(Lane lane, ApiResponse response) {
    if (response.content() instanceof ApiResponse.Streamed streamed) {
      return new ApiResponse(
          response.status(),
          response.headers(),
          new ApiResponse.Streamed(new Tracked(streamed.stream(), lane), streamed.kind()));
    }
    lane.leave();
    return response;
  }

  /** Leaves its lane when it is closed or over. */
  private static final class Tracked implements BodyStream {
    private final BodyStream stream;
    private final Lane lane;
    private final AtomicBoolean left = new AtomicBoolean();

    Tracked(BodyStream stream, Lane lane) {
      this.stream = stream;
      this.lane = lane;
    }

    @Override
    public Pull pull(Sink sink, int bytesMax) {
      Pull pull = stream.pull(sink, bytesMax);
      if (pull == Pull.END) {
        leave();
      }
      return pull;
    }

    @Override
    public void onReady(Runnable listener) {
      stream.onReady(listener);
    }

    @Override
    public void close() {
      leave();
      stream.close();
    }

    private void leave() {
      if (left.compareAndSet(false, true)) {
        lane.leave();
      }
    }
  }
}
