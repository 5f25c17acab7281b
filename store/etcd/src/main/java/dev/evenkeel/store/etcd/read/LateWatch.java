package dev.evenkeel.store.etcd.read;

import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A watch that can be used before the engine has one to give: calls wait for it, in order.
 *
 * <p><b>Invariants.</b> It is waiting, or has a target, or has ended; it never goes back.
 *
 * <p><b>Threading.</b> State on the loop; callers anywhere.
 */
public final class LateWatch implements Watch {

  /** A call that waits: with the target, or with the reason why there is none. */
  private interface Call {
    void run(@Nullable Watch target, @Nullable StoreException ended);
  }

  private final Loop loop;
  private final List<Call> waiting = new ArrayList<>();
  private @Nullable Watch target;
  private @Nullable StoreException ended;

  LateWatch(Loop loop) {
    this.loop = loop;
  }

  /** A watch that never was. */
  public static LateWatch failed(Loop loop, StoreException cause) {
    var watch = new LateWatch(loop);
    watch.ended = cause;
    return watch;
  }

  /** On the loop. */
  void bind(Watch watch) {
    if (ended != null) {
      watch.close();
      return;
    }
    target = watch;
    flush();
  }

  /** On the loop. */
  void fail(StoreException cause) {
    if (ended == null && target == null) {
      ended = cause;
      flush();
    }
  }

  private void flush() {
    List<Call> calls = List.copyOf(waiting);
    waiting.clear();
    for (Call call : calls) {
      call.run(target, ended);
    }
  }

  @Override
  public CompletableFuture<WatchBatch> next() {
    var result = new CompletableFuture<WatchBatch>();
    Call call =
        (watch, cause) -> {
          if (watch == null) {
            result.completeExceptionally(
                cause != null ? cause : new StoreException.Closed("the watch was closed"));
            return;
          }
          var _ =
              watch
                  .next()
                  .whenComplete(
                      (batch, error) -> {
                        if (error != null) {
                          result.completeExceptionally(FutureFailure.cause(error));
                        } else {
                          result.complete(batch);
                        }
                      });
        };
    if (!onLoop(call)) {
      result.completeExceptionally(new StoreException.Closed("the store is closed"));
    }
    return result;
  }

  @Override
  public void requestProgress() {
    onLoop(
        (watch, _) -> {
          if (watch != null) {
            watch.requestProgress();
          }
        });
  }

  @Override
  public void close() {
    try {
      loop.execute(
          () -> {
            if (target != null) {
              target.close();
            } else {
              fail(new StoreException.Closed("the watch was closed"));
            }
          });
    } catch (RejectedExecutionException _) {
      // The store is closed, and with it the watch.
    }
  }

  private boolean onLoop(Call call) {
    try {
      loop.execute(
          () -> {
            if (target == null && ended == null) {
              waiting.add(call);
            } else {
              call.run(target, ended);
            }
          });
      return true;
    } catch (RejectedExecutionException _) {
      return false;
    }
  }
}
