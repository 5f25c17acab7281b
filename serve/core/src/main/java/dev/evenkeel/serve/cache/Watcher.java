package dev.evenkeel.serve.cache;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.invariant.Invariants;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.api.BodyStream;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A watch: a position in its kind's changes, pulled by a transport that is or is not able to write.
 * It goes through the state it starts from, if that was asked for, then through changes that had
 * already happened, then follows its scope's feed.
 *
 * <p><b>Invariants:</b> every change of the scope after the start is written once, in order. {@link
 * #position} is a revision up to which all was written; it only grows.
 *
 * <p><b>Threading:</b> pulled by one thread at a time; woken, ended and expired from any thread.
 */
public final class Watcher implements BodyStream {

  /** How many objects that do not match are passed over in one pull: others wait for the thread. */
  private static final int SKIPPED_MAX = 20_000;

  /** Why a watch is over. */
  public enum End {
    /** The client went away. */
    CLIENT,
    /** Its time was up. */
    TIMEOUT,
    /** The server stops. */
    SHUTDOWN,
    /** It lagged so far behind that changes it had not read left the window. */
    EXPIRED,
    /** The cache had to read the state anew. */
    RELIST
  }

  private final KindCache cache;
  private final Feed feed;
  private Representation representation;
  private final EventFrame frame;
  private final boolean bookmarks;
  private final AtomicReference<@Nullable Runnable> listener = new AtomicReference<>();
  private final AtomicBoolean waiting = new AtomicBoolean();
  private final AtomicReference<@Nullable End> end = new AtomicReference<>();

  // Dropped by the loop when the watch expires, so that a client that never reads holds nothing.
  private volatile @Nullable Initial initial;
  private volatile @Nullable Backlog backlog;
  private volatile Feed.@Nullable Item cursor;
  private volatile long position;
  private volatile boolean bookmarkDue;
  private volatile boolean closed;
  private volatile Loop.@Nullable Timer timeout;
  private boolean over;
  private long lastWritten;
  private long events;
  private long nextBookmarkNanos;

  /** Whether this pull took changes from the feed, and when the oldest of them came. */
  private boolean follows;

  private long oldestNanos;

  /** The state to start from. */
  record Initial(SortedTree.Walk<CachedObject> walk, long revision, boolean announceEnd) {}

  /** Changes that had already happened, oldest first. Owned by the puller. */
  static final class Backlog {
    private final Feed.Type[] types;
    private final CachedObject[] objects;
    private int next;

    Backlog(Feed.Type[] types, CachedObject[] objects) {
      this.types = types;
      this.objects = objects;
    }
  }

  Watcher(
      KindCache cache,
      Feed feed,
      Representation representation,
      boolean bookmarks,
      @Nullable Initial initial,
      @Nullable Backlog backlog,
      long position) {
    this.cache = cache;
    this.feed = feed;
    this.representation = representation;
    this.frame = representation.frame();
    this.bookmarks = bookmarks;
    this.initial = initial;
    this.backlog = backlog;
    this.cursor = feed.tail();
    this.position = position;
  }

  Feed feed() {
    return feed;
  }

  /** Everything up to this revision was written. */
  long position() {
    return position;
  }

  boolean wantsBookmarks() {
    return bookmarks;
  }

  /** Whether everything the cache knows of was written. */
  boolean isIdle() {
    Feed.Item at = cursor;
    return initial == null && backlog == null && at != null && at.next() == null;
  }

  /** Whether something it has not written left the window. */
  boolean isTooLate(long floor) {
    Backlog changes = backlog;
    if (changes != null && changes.next < changes.objects.length) {
      return changes.objects[changes.next].revision() <= floor;
    }
    Feed.Item at = cursor;
    Feed.Item next = at == null ? null : at.next();
    return next != null && next.object() == null;
  }

  boolean bookmarkIsDue(long nowNanos, CacheLimits limits) {
    if (nextBookmarkNanos == 0) {
      nextBookmarkNanos = nowNanos + limits.bookmarkInterval().toNanos();
    }
    if (nowNanos < nextBookmarkNanos) {
      return false;
    }
    nextBookmarkNanos = nowNanos + limits.bookmarkInterval().toNanos();
    return true;
  }

  void timeoutWith(Loop.Timer timer) {
    timeout = timer;
    if (closed) {
      timer.cancel();
    }
  }

  @Override
  public Pull pull(Sink sink, int bytesMax) {
    long before = events;
    Pull pull = pullEvents(sink, bytesMax);
    if (events != before) {
      cache.figures().sent.add(events - before);
    }
    if (follows) {
      follows = false;
      cache.delivered(oldestNanos);
    }
    return pull;
  }

  private Pull pullEvents(Sink sink, int bytesMax) {
    if (over) {
      return Pull.END;
    }
    int written = pullInitial(sink, bytesMax);
    if (initial != null) {
      return Pull.MORE;
    }
    written += pullBacklog(sink, bytesMax - written);
    if (written >= bytesMax) {
      return Pull.MORE;
    }
    return pullFeed(sink, bytesMax - written);
  }

  private int pullInitial(Sink sink, int bytesMax) {
    Initial state = initial;
    if (state == null) {
      return 0;
    }
    int written = 0;
    for (int skipped = 0; written < bytesMax && skipped < SKIPPED_MAX; ) {
      CachedObject object = state.walk.next();
      if (object == null || feed.scope().isPast(object)) {
        initial = null;
        if (state.announceEnd) {
          written += bookmark(sink, state.revision, true);
        }
        return written;
      }
      if (feed.scope().matches(object)) {
        written += event(sink, EventFrame.Type.ADDED, representation.encode(object));
        representation = representation.following();
      } else {
        skipped++;
      }
    }
    return written;
  }

  private int pullBacklog(Sink sink, int bytesMax) {
    Backlog changes = backlog;
    if (changes == null) {
      return 0;
    }
    int written = 0;
    while (written < bytesMax) {
      if (changes.next == changes.objects.length) {
        backlog = null;
        break;
      }
      CachedObject object = changes.objects[changes.next];
      written += event(sink, type(changes.types[changes.next]), shared(object));
      representation = representation.following();
      changes.next++;
      position = Math.max(position, object.revision());
    }
    return written;
  }

  private Pull pullFeed(Sink sink, int bytesMax) {
    int written = 0;
    while (written < bytesMax) {
      if (end.get() == End.EXPIRED || end.get() == End.RELIST) {
        return expired(sink);
      }
      // Read before the chain's end is seen: all up to it is in the chain by then.
      long published = cache.publishedRevision();
      Feed.Item at = cursor;
      Feed.Item next = at == null ? null : at.next();
      if (next == null) {
        position = Math.max(position, published);
        return caughtUp(sink);
      }
      CachedObject object = next.object();
      if (object == null) {
        if (end.compareAndSet(null, End.EXPIRED)) {
          cache.ended(this, End.EXPIRED);
        }
        return expired(sink);
      }
      long before = lastWritten;
      Invariants.hold(
          next.revision() >= before && next.revision() > position,
          "watch_cursor_order",
          () -> "revision " + next.revision() + " after " + before + ", at " + position);
      if (written == 0) {
        follows = true;
        oldestNanos = next.atNanos();
      }
      written += event(sink, type(next.type()), shared(object));
      representation = representation.following();
      position = Math.max(position, next.revision() - 1);
      lastWritten = next.revision();
      cursor = next;
    }
    return Pull.MORE;
  }

  private Pull caughtUp(Sink sink) {
    boolean ending = end.get() != null;
    // A change can be read from the chain a moment before its revision is published. A bookmark
    // would then fall behind what was written; it waits for the publication, which is under way.
    boolean published = position >= lastWritten;
    if (published && (bookmarkDue || (ending && bookmarks))) {
      bookmarkDue = false;
      var _ = bookmark(sink, position, false);
    }
    if (ending) {
      over = true;
      return Pull.END;
    }
    return Pull.WAIT;
  }

  private Pull expired(Sink sink) {
    over = true;
    Status status =
        Status.expired(
            "too old resource version: " + position + " (" + cache.floorRevision() + ")");
    var _ = event(sink, EventFrame.Type.ERROR, representation.status(status));
    return Pull.END;
  }

  private byte[] shared(CachedObject object) {
    return representation.equals(Representation.AS_STORED)
        ? object.json()
        : object.representation(representation);
  }

  private int bookmark(Sink sink, long revision, boolean endsInitial) {
    return event(
        sink,
        EventFrame.Type.BOOKMARK,
        representation.bookmark(new Bookmark(cache.gvk(), revision, endsInitial)));
  }

  private int event(Sink sink, EventFrame.Type type, byte[] object) {
    byte[] head = frame.head(type, object.length);
    byte[] tail = frame.tail();
    sink.piece(head, object, tail);
    events++;
    return head.length + object.length + tail.length;
  }

  private static EventFrame.Type type(Feed.Type type) {
    return switch (type) {
      case ADDED -> EventFrame.Type.ADDED;
      case MODIFIED -> EventFrame.Type.MODIFIED;
      case DELETED -> EventFrame.Type.DELETED;
    };
  }

  @Override
  public void onReady(Runnable whenReady) {
    listener.set(whenReady);
    feed.await(this);
    Feed.Item at = cursor;
    if (end.get() != null || bookmarkDue || at == null || at.next() != null) {
      wake();
    }
  }

  /*
   * A watcher stands in its feed's list of those who wait at most once, also when a bookmark or a
   * timeout woke it in between: a feed in which nothing changes must not collect them.
   */

  /** Whether it must be put into the list of those who wait. */
  boolean beginWaiting() {
    return waiting.compareAndSet(false, true);
  }

  void endWaiting() {
    waiting.set(false);
  }

  /** Tells whoever waits. A second call without a new listener does nothing. */
  void wake() {
    Runnable whenReady = listener.getAndSet(null);
    if (whenReady != null) {
      whenReady.run();
    }
  }

  void bookmarkNow() {
    bookmarkDue = true;
    wake();
  }

  /** Ends the watch: what is ready is still written, then it is over. */
  void end(End why) {
    if (end.compareAndSet(null, why)) {
      cache.ended(this, why);
      wake();
    }
  }

  /** Ends the watch and lets go of all it would still have written. */
  void expire(End why) {
    end(why);
    initial = null;
    backlog = null;
    cursor = null;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    listener.set(null);
    if (end.compareAndSet(null, End.CLIENT)) {
      cache.ended(this, End.CLIENT);
    }
    Loop.Timer timer = timeout;
    if (timer != null) {
      timer.cancel();
    }
    initial = null;
    backlog = null;
    cursor = null;
    cache.left(this);
  }
}
