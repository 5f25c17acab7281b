package dev.evenkeel.store.engine.watch;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchBatch.Commit;
import dev.evenkeel.store.WatchQuery;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One prefix's changes, taken once and read by many. A reader is a cursor: the revision it has come
 * to. The feed keeps a window of recent transactions; a cursor inside the window reads from it, one
 * that has fallen behind reads history from the engine until it is back. So a slow reader costs
 * nobody else anything, and itself only time.
 *
 * <p><b>Invariants.</b> {@code windowStart <= revision}. The window holds exactly the prefix's
 * transactions with revisions in (windowStart, revision], in order. A cursor's position only grows;
 * everything up to it was delivered. A cursor has at most one call of {@code next} waiting and at
 * most one read of history under way.
 *
 * <p><b>Threading.</b> All state belongs to the loop. {@link #watch} may be called from anywhere.
 */
public final class PrefixFeed {

  private final Loop loop;
  private final Bytes prefix;
  private final boolean withPrevious;
  private final FeedSource source;
  private final FeedLimits limits;
  private final Runnable whenUnused;

  private final Set<Cursor> cursors = new LinkedHashSet<>();
  private List<Commit> window = new ArrayList<>();
  private long windowStart;
  private long windowEvents;
  private long windowBytes;
  private long revision;
  private int trimAtCommits = TRIM_AT_COMMITS_MIN;
  private @Nullable StoreException failure;

  private static final int TRIM_AT_COMMITS_MIN = 64;

  /**
   * A feed that takes changes from the given revision on, that one excluded: everything up to it is
   * history.
   *
   * @param whenUnused called on the loop when the last cursor has closed
   */
  public PrefixFeed(
      Loop loop,
      Bytes prefix,
      boolean withPrevious,
      long revision,
      FeedSource source,
      FeedLimits limits,
      Runnable whenUnused) {
    this.loop = loop;
    this.prefix = prefix;
    this.withPrevious = withPrevious;
    this.windowStart = revision;
    this.revision = revision;
    this.source = source;
    this.limits = limits;
    this.whenUnused = whenUnused;
  }

  public Bytes prefix() {
    return prefix;
  }

  /** How many watches read from it. On the loop. */
  public int watches() {
    return cursors.size();
  }

  /** How far the feed has come. On the loop. */
  public long revision() {
    return revision;
  }

  /**
   * Opens a watch; the query's prefix is this feed's. On the loop, so that a feed is not let go of
   * between being found and being used.
   */
  public Watch watch(WatchQuery query) {
    var cursor = new Cursor(query.fromRevision() - 1);
    cursors.add(cursor);
    return cursor;
  }

  /**
   * Takes the next transactions below the prefix. On the loop.
   *
   * @param commits in order, all newer than the feed's revision
   * @param upTo the revision up to which these are all there are
   */
  public void publish(List<Commit> commits, long upTo) {
    if (upTo <= revision) {
      return;
    }
    window.addAll(commits);
    for (Commit commit : commits) {
      windowEvents += commit.events().size();
      windowBytes += bytes(commit);
    }
    revision = upTo;
    if (!commits.isEmpty()) {
      for (Cursor cursor : List.copyOf(cursors)) {
        cursor.deliver(false);
      }
    }
    trim();
  }

  /** Tells every waiting reader that is behind how far the feed has come. On the loop. */
  public void mark(long upTo) {
    publish(List.of(), upTo);
    for (Cursor cursor : List.copyOf(cursors)) {
      if (cursor.position < revision) {
        cursor.deliver(true);
      }
    }
  }

  /** Ends all watches, now and later, with the failure. On the loop. */
  public void fail(StoreException cause) {
    failure = cause;
    for (Cursor cursor : List.copyOf(cursors)) {
      cursor.fail(cause);
    }
  }

  /** Drops what every cursor has passed, and what is over the limits. */
  private void trim() {
    int drop = 0;
    if (window.size() >= trimAtCommits) {
      long passed = revision;
      for (Cursor cursor : cursors) {
        if (cursor.position >= windowStart) {
          passed = Math.min(passed, cursor.position);
        }
      }
      drop = firstAfter(passed);
      trimAtCommits = Math.max(TRIM_AT_COMMITS_MIN, 2 * (window.size() - drop));
    }
    long events = windowEvents;
    long bytes = windowBytes;
    for (int i = 0; i < window.size(); i++) {
      if (i >= drop && events <= limits.windowEventsMax() && bytes <= limits.windowBytesMax()) {
        break;
      }
      events -= window.get(i).events().size();
      bytes -= bytes(window.get(i));
      drop = Math.max(drop, i + 1);
    }
    if (drop > 0) {
      windowStart = window.get(drop - 1).revision();
      windowEvents = events;
      windowBytes = bytes;
      window = new ArrayList<>(window.subList(drop, window.size()));
    }
  }

  private static long bytes(Commit commit) {
    long bytes = 0;
    for (Event event : commit.events()) {
      bytes += event.key().length();
      if (event instanceof Event.Put put) {
        bytes += put.current().value().length();
      }
      if (event.previous() != null) {
        bytes += event.previous().value().length();
      }
    }
    return bytes;
  }

  /** The index of the window's first transaction behind the position. */
  private int firstAfter(long position) {
    int low = 0;
    int high = window.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (window.get(middle).revision() <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private final class Cursor implements Watch {

    private long position;
    private boolean admitted;
    private boolean reading;
    private boolean progressWanted;
    private @Nullable CompletableFuture<WatchBatch> waiting;
    private @Nullable StoreException ended;

    Cursor(long position) {
      this.position = position;
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

    private void wait(CompletableFuture<WatchBatch> result) {
      if (ended == null && failure != null) {
        fail(failure);
      }
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
          source.admit(position + 1),
          _ -> {
            admitted = true;
            deliver(progressWanted && position < revision);
          });
    }

    private void askProgress() {
      if (ended != null) {
        return;
      }
      whenDone(
          source.progress(prefix),
          confirmed -> {
            publish(List.of(), confirmed);
            progressWanted = true;
            deliver(false);
          });
    }

    /** Answers the waiting call if there is something to tell, or a mark is due. */
    private void deliver(boolean markDue) {
      if (waiting == null || !admitted || reading) {
        return;
      }
      if (position < windowStart) {
        readHistory();
        return;
      }
      int first = firstAfter(position);
      if (first == window.size()) {
        if (markDue || progressWanted) {
          progressWanted = false;
          answer(new WatchBatch(Math.max(position, revision), List.of()));
        }
        return;
      }
      int last = first;
      int events = 0;
      while (last < window.size() && events < limits.batchEventsMax()) {
        events += window.get(last++).events().size();
      }
      boolean all = last == window.size();
      if (all) {
        progressWanted = false;
      }
      long upTo = all ? revision : window.get(last - 1).revision();
      answer(new WatchBatch(upTo, List.copyOf(window.subList(first, last))));
    }

    private void readHistory() {
      reading = true;
      whenDone(
          source.history(prefix, position + 1, windowStart, withPrevious),
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
      position = batch.revision();
      CompletableFuture<WatchBatch> result = waiting;
      waiting = null;
      if (result != null) {
        result.complete(batch);
      }
    }

    private void fail(StoreException cause) {
      if (ended != null) {
        return;
      }
      ended = cause;
      cursors.remove(this);
      CompletableFuture<WatchBatch> result = waiting;
      waiting = null;
      if (result != null) {
        result.completeExceptionally(cause);
      }
      if (cursors.isEmpty()) {
        whenUnused.run();
      }
    }

    /** Goes on, on the loop, with what the engine answers; a failure ends the watch. */
    private <T> void whenDone(
        CompletableFuture<T> future, java.util.function.Consumer<T> continuation) {
      var _ =
          future.whenComplete(
              (value, error) -> {
                if (loop.inLoop()) {
                  proceed(value, error, continuation);
                } else {
                  onLoop(() -> proceed(value, error, continuation), waiting);
                }
              });
    }

    private <T> void proceed(
        T value, @Nullable Throwable error, java.util.function.Consumer<T> continuation) {
      if (ended != null) {
        return;
      }
      if (error == null) {
        continuation.accept(value);
        return;
      }
      Throwable cause = error instanceof CompletionException wrapped ? wrapped.getCause() : error;
      fail(
          cause instanceof StoreException expected
              ? expected
              : new StoreException.Unavailable("the watch ended: " + cause, cause));
    }
  }
}
