package dev.evenkeel.store.engine.watch;

import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.invariant.Invariants;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One reader of a feed.
 *
 * <p><b>Invariants.</b> The position only grows. At most one call of {@code next} waits, at most
 * one read of history is under way. Once ended, it stays so.
 *
 * <p><b>Threading.</b> The methods of {@link Watch} from anywhere, each as a task of the loop,
 * where all state lives. The first task finds the feed, so the others find it there.
 */
final class Cursor implements Watch {

  private final Loop loop;
  private @Nullable PrefixFeed feed;
  private long position;
  private boolean admitted;
  private boolean reading;
  private boolean progressWanted;
  private @Nullable CompletableFuture<WatchBatch> waiting;
  private @Nullable StoreException ended;

  Cursor(Loop loop, long position) {
    this.loop = loop;
    this.position = position;
  }

  void attach(Supplier<PrefixFeed> finder) {
    onLoop(
        () -> {
          feed = finder.get();
          feed.add(this);
        },
        null);
  }

  /** Everything up to it was delivered. On the loop. */
  long position() {
    return position;
  }

  @Override
  public CompletableFuture<WatchBatch> next() {
    var result = new CompletableFuture<WatchBatch>();
    onLoop(() -> wait(result), result);
    return result;
  }

  @Override
  public void requestProgress() {
    onLoop(this::askProgress, null);
  }

  @Override
  public void close() {
    onLoop(() -> fail(new StoreException.Closed("the watch was closed")), null);
  }

  private void onLoop(Runnable task, @Nullable CompletableFuture<WatchBatch> result) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException _) {
      if (result != null) {
        result.completeExceptionally(new StoreException.Closed("the store is closed"));
      }
    }
  }

  private PrefixFeed feed() {
    return Objects.requireNonNull(feed, "the first task attaches the feed");
  }

  private void wait(CompletableFuture<WatchBatch> result) {
    if (ended != null) {
      result.completeExceptionally(ended);
    } else if (waiting != null) {
      result.completeExceptionally(
          new StoreException.InvalidRequest(
              "next was called while an earlier call is waiting; call it when that is answered"));
    } else {
      waiting = result;
      if (admitted) {
        deliver(false);
      } else {
        admit();
      }
    }
  }

  private void admit() {
    whenDone(
        feed().admit(position),
        _ -> {
          admitted = true;
          deliver(false);
        });
  }

  private void askProgress() {
    if (ended != null) {
      return;
    }
    whenDone(
        feed().progress(),
        confirmed -> {
          feed().publish(java.util.List.of(), confirmed);
          progressWanted = true;
          deliver(false);
        });
  }

  /** Answers the waiting call if there is something to tell, or a mark is due. */
  void deliver(boolean markDue) {
    if (waiting == null || !admitted || reading) {
      return;
    }
    WatchBatch batch = feed().read(position);
    if (batch == null) {
      readHistory();
    } else if (!batch.commits().isEmpty() || markDue || progressWanted) {
      if (batch.revision() >= feed().revision()) {
        progressWanted = false;
      }
      answer(batch);
    }
  }

  private void readHistory() {
    reading = true;
    whenDone(
        feed().readHistory(position),
        batch -> {
          reading = false;
          if (batch.commits().isEmpty()) {
            position = Math.max(position, batch.revision());
            deliver(false);
          } else {
            answer(batch);
          }
        });
  }

  private void answer(WatchBatch batch) {
    long before = position;
    Invariants.hold(
        batch.revision() >= before
            && (batch.commits().isEmpty() || batch.commits().getFirst().revision() > before),
        "store_cursor_order",
        () -> "a batch up to " + batch.revision() + " after " + before + ": " + batch.commits());
    position = batch.revision();
    CompletableFuture<WatchBatch> result = waiting;
    waiting = null;
    feed().trim();
    if (result != null) {
      result.complete(batch);
    }
  }

  void fail(StoreException cause) {
    if (ended != null) {
      return;
    }
    ended = cause;
    CompletableFuture<WatchBatch> result = waiting;
    waiting = null;
    if (result != null) {
      result.completeExceptionally(cause);
    }
    PrefixFeed left = feed();
    feed = null; // whoever keeps an ended watch keeps no window with it
    left.remove(this);
  }

  /** Goes on, on the loop, with what the engine answers; a failure ends the watch. */
  private <T> void whenDone(CompletableFuture<T> future, Consumer<T> continuation) {
    var _ =
        future.whenComplete(
            (value, error) -> {
              if (loop.inLoop()) {
                proceed(value, error, continuation);
              } else {
                onLoop(() -> proceed(value, error, continuation), null);
              }
            });
  }

  private <T> void proceed(T value, @Nullable Throwable error, Consumer<T> continuation) {
    if (ended != null) {
      return;
    }
    if (error == null) {
      continuation.accept(value);
      return;
    }
    Throwable cause = FutureFailure.cause(error);
    fail(
        cause instanceof StoreException expected
            ? expected
            : new StoreException.Unavailable("the watch ended: " + cause, cause));
  }
}
