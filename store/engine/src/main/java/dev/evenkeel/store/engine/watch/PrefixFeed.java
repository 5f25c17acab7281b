package dev.evenkeel.store.engine.watch;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.invariant.Invariants;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One prefix's changes, taken once and read by many. A reader is a cursor: the revision it has come
 * to. The feed keeps a window of recent transactions; a cursor inside the window reads from it, one
 * that has fallen behind reads history from the engine until it is back. So a slow reader costs
 * nobody else anything, and itself only time.
 *
 * <p><b>Invariants.</b> {@code windowStart <= revision}. The window holds exactly the prefix's
 * transactions with revisions in (windowStart, revision], in order. A cursor's position only grows;
 * everything up to it was delivered.
 *
 * <p><b>Threading.</b> All state belongs to the loop. {@link #watch} may be called from anywhere.
 */
public final class PrefixFeed {

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
  private long trimAtBytes = TRIM_AT_BYTES_MIN;
  private @Nullable StoreException failure;

  private static final int TRIM_AT_COMMITS_MIN = 64;
  private static final long TRIM_AT_BYTES_MIN = 64 << 10;

  /**
   * A feed that takes changes from the given revision on, that one excluded: everything up to it is
   * history.
   *
   * @param whenUnused called on the loop when the last cursor has closed
   */
  public PrefixFeed(
      Bytes prefix,
      boolean withPrevious,
      long revision,
      FeedSource source,
      FeedLimits limits,
      Runnable whenUnused) {
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

  public boolean withPrevious() {
    return withPrevious;
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
   * Opens a watch, from any thread.
   *
   * @param feed finds or makes the feed for the query's prefix; called on the loop, so that a feed
   *     is not let go of between being found and being used
   */
  public static Watch watch(Loop loop, Supplier<PrefixFeed> feed, WatchQuery query) {
    var cursor = new Cursor(loop, query.fromRevision() - 1);
    cursor.attach(feed);
    return cursor;
  }

  void add(Cursor cursor) {
    cursors.add(cursor);
    if (failure != null) {
      cursor.fail(failure);
    }
  }

  void remove(Cursor cursor) {
    if (cursors.remove(cursor) && cursors.isEmpty()) {
      whenUnused.run();
    }
  }

  /** What the reader at the position has not seen, or null if it must read history first. */
  @Nullable WatchBatch read(long position) {
    if (position < windowStart) {
      return null;
    }
    int first = firstAfter(position);
    int last = first;
    int events = 0;
    long bytes = 0;
    while (last < window.size()
        && events < limits.batchEventsMax()
        && bytes < limits.batchBytesMax()) {
      Commit commit = window.get(last++);
      events += commit.events().size();
      bytes += bytes(commit);
    }
    long upTo = last == window.size() ? revision : window.get(last - 1).revision();
    return new WatchBatch(Math.max(position, upTo), List.copyOf(window.subList(first, last)));
  }

  CompletableFuture<WatchBatch> readHistory(long position) {
    return source.history(prefix, position + 1, windowStart, withPrevious);
  }

  CompletableFuture<Void> admit(long position) {
    return source.admit(position + 1);
  }

  CompletableFuture<Long> progress() {
    return source.progress(prefix);
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
    checkOrder(commits, upTo);
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

  private void checkOrder(List<Commit> commits, long upTo) {
    long last = revision;
    boolean ordered = true;
    for (Commit commit : commits) {
      ordered &= commit.revision() > last;
      last = commit.revision();
    }
    long before = revision;
    Invariants.hold(
        ordered && last <= upTo,
        "store_feed_order",
        () ->
            "revisions "
                + commits.stream().map(Commit::revision).toList()
                + " up to "
                + upTo
                + " after "
                + before);
  }

  /** Tells every waiting reader that is behind how far the feed has come. On the loop. */
  public void mark(long upTo) {
    publish(List.of(), upTo);
    for (Cursor cursor : List.copyOf(cursors)) {
      if (cursor.position() < revision) {
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

  /** What the window holds. On the loop. */
  public long windowBytes() {
    return windowBytes;
  }

  /** Drops what every cursor has passed, and what is over the limits. */
  void trim() {
    int drop = 0;
    boolean due = window.size() >= trimAtCommits || windowBytes >= trimAtBytes;
    if (due) {
      long passed = revision;
      for (Cursor cursor : cursors) {
        if (cursor.position() >= windowStart) {
          passed = Math.min(passed, cursor.position());
        }
      }
      drop = firstAfter(passed);
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
    if (due) { // looking at every cursor is paid for by as much again coming in
      trimAtCommits = Math.max(TRIM_AT_COMMITS_MIN, 2 * window.size());
      trimAtBytes = Math.max(TRIM_AT_BYTES_MIN, 2 * windowBytes);
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
}
