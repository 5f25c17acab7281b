package dev.evenkeel.serve.cache;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The changes that concern one scope, as a chain that watchers follow. However many watch it, a
 * change is matched against the scope once.
 *
 * <p><b>Invariants:</b> revisions never fall along the chain. An item that left the window has no
 * object any more: a watcher that meets it knows that it is too late. A watcher that stands still
 * keeps at most two items from being forgotten, never the chain.
 *
 * <p><b>Threading:</b> the cache's loop appends and evicts. Watchers follow the chain and ask to be
 * woken from any thread.
 */
final class Feed {

  /** What a change is to a scope. */
  enum Type {
    ADDED,
    MODIFIED,
    DELETED
  }

  /** A link of the chain. */
  static final class Item {
    private final long revision;
    private final Type type;
    private final long atNanos;
    private volatile @Nullable CachedObject object;
    private volatile @Nullable Item next;

    private Item(long revision, Type type, @Nullable CachedObject object, long atNanos) {
      this.revision = revision;
      this.type = type;
      this.atNanos = atNanos;
      this.object = object;
    }

    long revision() {
      return revision;
    }

    Type type() {
      return type;
    }

    /** When the cache learned of it. */
    long atNanos() {
      return atNanos;
    }

    /** Null once it left the window. */
    @Nullable CachedObject object() {
      return object;
    }

    @Nullable Item next() {
      return next;
    }
  }

  /** Follows the last item that left the window. */
  private static final Item GONE = new Item(0, Type.DELETED, null, 0);

  private final Scope scope;
  private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();
  private final ArrayDeque<Item> window = new ArrayDeque<>();
  private Item tail = new Item(0, Type.ADDED, null, 0);
  private Item lastEvicted = tail;
  private int watchers;
  private boolean changed;

  Feed(Scope scope) {
    this.scope = scope;
  }

  Scope scope() {
    return scope;
  }

  /** Where a watcher stands that has seen everything so far. */
  Item tail() {
    return tail;
  }

  int watchers() {
    return watchers;
  }

  void watcherCame() {
    watchers++;
  }

  void watcherLeft() {
    watchers--;
  }

  /** What the change is to a scope, null if it does not concern it. */
  static @Nullable Type typeOf(Scope scope, CacheChange change) {
    CachedObject before = change.previous();
    CachedObject after = change.current();
    boolean was = before != null && scope.matches(before);
    boolean is = after != null && scope.matches(after);
    if (is) {
      return was ? Type.MODIFIED : Type.ADDED;
    }
    return was ? Type.DELETED : null;
  }

  /** Appends; {@link #wake} is to follow. Returns whether it is the first since the last wake. */
  boolean append(long revision, Type type, CachedObject object, long atNanos) {
    var item = new Item(revision, type, object, atNanos);
    window.add(item);
    tail.next = item;
    tail = item;
    boolean first = !changed;
    changed = true;
    return first;
  }

  /** Forgets what left the window. */
  void evictThrough(long revision) {
    Item first;
    while ((first = window.peekFirst()) != null && first.revision <= revision) {
      var _ = window.poll();
      first.object = null;
      // Whoever stands before an evicted item is too late; nothing beyond need be kept for them.
      lastEvicted.next = GONE;
      lastEvicted = first;
    }
  }

  /** Someone who waits for the next change, put in before {@code next} until all are taken out. */
  private static final class Waiting {
    private final Watcher watcher;
    private @Nullable Waiting next;

    Waiting(Watcher watcher) {
      this.watcher = watcher;
    }
  }

  /** Wakes the watcher after the next append. It must look again after the call. */
  void await(Watcher watcher) {
    if (!watcher.beginWaiting()) {
      return;
    }
    var one = new Waiting(watcher);
    do {
      one.next = waiting.get();
    } while (!waiting.compareAndSet(one.next, one));
  }

  /**
   * Who has waited longest is woken first. Otherwise whoever had the last turn of a round would
   * have the first of the next one, and then wait for two.
   */
  void wake() {
    changed = false;
    Waiting one = longestFirst(waiting.getAndSet(null));
    while (one != null) {
      one.watcher.endWaiting();
      one.watcher.wake();
      one = one.next;
    }
  }

  private static @Nullable Waiting longestFirst(@Nullable Waiting latest) {
    Waiting first = null;
    Waiting one = latest;
    while (one != null) {
      Waiting earlier = one.next;
      one.next = first;
      first = one;
      one = earlier;
    }
    return first;
  }
}
