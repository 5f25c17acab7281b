package dev.evenkeel.observe.cache;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.observe.feed.Feed;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.feed.FeedListener;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Trim;
import dev.evenkeel.observe.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A local copy of one kind and scope that follows the server.
 *
 * <p><b>Invariants:</b> a snapshot is a state that the server was in; their versions only grow; a
 * relist replaces everything at once, so that nothing vanishes in between; listeners are told what
 * leads from one snapshot to the next.
 *
 * <p><b>Threading:</b> its loop owns it; snapshots, figures and registrations are for any thread.
 */
public final class Informer<T> {

  /** So many may wait for a version; more is a fault of who asks. */
  static final int WAITERS_MAX = 100_000;

  private static final System.Logger LOG = System.getLogger(Informer.class.getName());

  /** A listener that is told. */
  public interface Listening extends AutoCloseable {

    /** Ends it: nothing is told any more, but for what is being told now. */
    @Override
    void close();
  }

  private record Waiter(long version, CompletableFuture<Long> reached) {}

  private final Kind<T> kind;
  private final Scope scope;
  private final Loop loop;
  private final Feed<T> feed;
  private final List<ChangeListener<T>> listeners = new ArrayList<>();
  private final PriorityQueue<Waiter> waiters =
      new PriorityQueue<>((one, other) -> Long.compare(one.version, other.version));
  private final CompletableFuture<Long> synced = new CompletableFuture<>();
  private final AtomicLong listenerFailures = new AtomicLong();
  private volatile Snapshot<T> published = Snapshot.empty();
  private boolean closed;

  Informer(
      Env env,
      Loop loop,
      Transport transport,
      Kind<T> kind,
      Scope scope,
      Trim trim,
      FeedLimits limits) {
    this.kind = kind;
    this.scope = scope;
    this.loop = loop;
    this.feed = new Feed<>(env, loop, transport, kind, scope, trim, limits, new Applier());
  }

  public Kind<T> kind() {
    return kind;
  }

  public Scope scope() {
    return scope;
  }

  /** The newest state that is known. */
  public Snapshot<T> snapshot() {
    return published;
  }

  /** Completed, with its version, when a first whole state is there. On the loop: do not block. */
  public CompletableFuture<Long> synced() {
    return synced.copy();
  }

  /**
   * Completed, with the version then reached, when the snapshot shows everything up to this
   * version, such as that of a write of the caller's: one that the server has. If the watch does
   * not bring it within seconds, it is replaced. On the loop: do not block. Fails when the informer
   * is closed.
   */
  public CompletableFuture<Long> awaitVersion(long version) {
    return await(version, false);
  }

  /**
   * The same for a version of which nothing is known but that the server has it, such as that of an
   * object of another kind: if nothing has changed here, no change will come, so the server is
   * asked at once how far it is.
   */
  public CompletableFuture<Long> reach(long version) {
    return await(version, true);
  }

  private CompletableFuture<Long> await(long version, boolean atOnce) {
    var reached = new CompletableFuture<Long>();
    onLoop(() -> await(new Waiter(version, reached), atOnce), reached);
    return reached;
  }

  private void await(Waiter waiter, boolean atOnce) {
    Snapshot<T> now = published;
    if (now.isSynced() && now.version() >= waiter.version) {
      waiter.reached.complete(now.version());
    } else if (closed) {
      waiter.reached.completeExceptionally(new IllegalStateException(this + " is closed"));
    } else if (waiters.size() >= WAITERS_MAX) {
      waiter.reached.completeExceptionally(
          new IllegalStateException(
              WAITERS_MAX + " already wait for a version of " + this + "; wait for fewer"));
    } else {
      waiters.add(waiter);
      feed.need(waiter.version, atOnce);
    }
  }

  /**
   * Tells the listener first what is there, as added, and then every change.
   *
   * @return ends it
   */
  public Listening listen(ChangeListener<T> listener) {
    onLoop(
        () -> {
          if (published.isSynced()) {
            Snapshot<T> now = published;
            for (Cached<T> object : now.all()) {
              tell(listener, new Change.Added<>(object, now.version(), false));
            }
          }
          listeners.add(listener);
        },
        null);
    return () -> onLoop(() -> listeners.remove(listener), null);
  }

  /** Keeps an index from now on; without effect if it is kept already. */
  public Informer<T> index(Index<T> index) {
    onLoop(
        () -> {
          if (!published.has(index)) {
            published = published.with(index);
          }
        },
        null);
    return this;
  }

  public InformerFigures figures() {
    Snapshot<T> now = published;
    return new InformerFigures(
        kind.toString(),
        scope.toString(),
        now.size(),
        now.bytesHeld(),
        now.version(),
        now.isSynced(),
        listenerFailures.get(),
        feed.figures());
  }

  private void onLoop(Runnable task, @Nullable CompletableFuture<?> otherwise) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      if (otherwise != null) {
        otherwise.completeExceptionally(new IllegalStateException(this + " is closed"));
      }
    }
  }

  /** Called on the loop. */
  void others(long reached) {
    feed.others(reached);
  }

  /** Called on the loop. */
  void start() {
    feed.start();
  }

  /** Called on the loop. The last snapshot stays. */
  void close() {
    closed = true;
    feed.close();
    var failure = new IllegalStateException(this + " is closed");
    synced.completeExceptionally(failure);
    waiters.forEach(waiter -> waiter.reached.completeExceptionally(failure));
    waiters.clear();
    listeners.clear();
  }

  private void tell(ChangeListener<T> listener, Change<T> change) {
    try {
      listener.changed(change);
    } catch (RuntimeException | LinkageError | AssertionError e) {
      listenerFailures.incrementAndGet();
      LOG.log(System.Logger.Level.ERROR, () -> "a listener of " + this + " failed at " + change, e);
    }
  }

  private void tell(Change<T> change) {
    for (ChangeListener<T> listener : List.copyOf(listeners)) {
      tell(listener, change);
    }
  }

  private void publish(Snapshot<T> next) {
    published = next;
  }

  private void wake() {
    Snapshot<T> now = published;
    while (!waiters.isEmpty() && waiters.element().version <= now.version()) {
      waiters.remove().reached.complete(now.version());
    }
  }

  @Override
  public String toString() {
    return "the cache of " + kind + ", " + scope;
  }

  /** Makes the next snapshot of what the feed tells, then tells the listeners, then who waits. */
  private final class Applier implements FeedListener<T> {

    @Override
    public void replaced(List<Cached<T>> objects, long version) {
      Snapshot<T> before = published;
      SortedTree<Cached<T>> tree = SortedTree.ofSorted(sharing(objects, before.tree()));
      publish(before.replacedBy(tree, version));
      if (!listeners.isEmpty()) {
        tellDifferences(before, tree, version);
      }
      wake();
      synced.complete(version);
    }

    /** What has not changed stays the same object: who holds an older snapshot holds it once. */
    private List<Cached<T>> sharing(List<Cached<T>> objects, SortedTree<Cached<T>> known) {
      if (known.size() == 0) {
        return objects;
      }
      List<Cached<T>> shared = new ArrayList<>(objects.size());
      for (Cached<T> object : objects) {
        Cached<T> old = known.get(object.key());
        shared.add(old != null && old.version() == object.version() ? old : object);
      }
      return shared;
    }

    /** Walks both states side by side. */
    private void tellDifferences(Snapshot<T> before, SortedTree<Cached<T>> tree, long version) {
      boolean relist = before.isSynced();
      SortedTree.Walk<Cached<T>> olds = before.tree().from("");
      SortedTree.Walk<Cached<T>> news = tree.from("");
      Cached<T> old = olds.next();
      Cached<T> now = news.next();
      while (old != null || now != null) {
        int order = now == null ? -1 : old == null ? 1 : old.key().compareTo(now.key());
        if (order < 0 && old != null) {
          tell(new Change.Deleted<>(old, version, relist));
          old = olds.next();
        } else if (order > 0 && now != null) {
          tell(new Change.Added<>(now, version, relist));
          now = news.next();
        } else if (old != null && now != null) {
          if (old != now) {
            tell(new Change.Modified<>(old, now, version, relist));
          }
          old = olds.next();
          now = news.next();
        }
      }
    }

    @Override
    public void changed(Cached<T> object) {
      Cached<T> before = published.tree().get(object.key());
      publish(published.changed(before, object, object.version()));
      tell(
          before == null
              ? new Change.Added<>(object, object.version(), false)
              : new Change.Modified<>(before, object, object.version(), false));
      wake();
    }

    @Override
    public void deleted(Cached<T> last) {
      Cached<T> before = published.tree().get(last.key());
      publish(published.changed(before, null, last.version()));
      if (before != null) {
        tell(new Change.Deleted<>(last, last.version(), false));
      }
      wake();
    }

    @Override
    public void reached(long version) {
      publish(published.at(version));
      wake();
    }
  }
}
