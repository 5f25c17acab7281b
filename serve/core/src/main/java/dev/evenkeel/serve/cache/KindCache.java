package dev.evenkeel.serve.cache;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.invariant.Invariants;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.WatchBatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One kind's newest state and latest changes, following the store through one subscription.
 *
 * <p><b>Invariants:</b> the published revision only grows, and everything up to it is in the tree
 * and in the feeds. A read that waited for a revision sees it. A watch sees every change of its
 * scope once, or is told that it cannot; one that begins at a revision at which several objects of
 * its scope changed is shown these changes too, for it may have been cut between them.
 *
 * <p><b>Threading:</b> the loop owns all but the published snapshot, which anyone reads.
 */
public final class KindCache {

  private final Env env;
  private final Loop loop;
  private final Gvk gvk;
  private final Bytes prefix;
  private final ObjectCodec codec;
  private final List<String> indexedFields;
  private final CacheLimits limits;
  private final CacheFigures figures = new CacheFigures();
  private final LongConsumer deliveries;
  private final Upstream upstream;
  private final FeedIndex feeds;
  private final PriorityQueue<Reader> readers = new PriorityQueue<>();
  private final Set<Watcher> watchers = Collections.newSetFromMap(new IdentityHashMap<>());
  private final CompletableFuture<KindCache> ready = new CompletableFuture<>();

  private final AtomicBoolean started = new AtomicBoolean();

  private final List<Runnable> followers = new CopyOnWriteArrayList<>();
  private volatile Snapshot published = new Snapshot(0, SortedTree.empty());
  private volatile long floor;
  private Window window;
  private long treeSince;
  private long objectBytes;
  private boolean draining;

  /** Someone who waits for a revision. */
  private record Reader(long revision, CompletableFuture<Snapshot> answer)
      implements Comparable<Reader> {
    @Override
    public int compareTo(Reader other) {
      return Long.compare(revision, other.revision);
    }
  }

  /**
   * @param loop shared by the caches of a server
   * @param prefix the store's prefix of the kind, ending in a slash
   * @param gvk the kind, in the version it is stored in
   * @param indexedFields paths whose values wake watchers, for example {@code spec.nodeName}
   * @param deliveries is told how many nanoseconds changes took until a watch took them
   */
  public KindCache(
      Env env,
      Loop loop,
      Store store,
      Gvk gvk,
      Bytes prefix,
      List<String> indexedFields,
      CacheLimits limits,
      LongConsumer deliveries) {
    this.env = env;
    this.deliveries = deliveries;
    this.loop = loop;
    this.gvk = gvk;
    this.prefix = prefix;
    this.indexedFields = List.copyOf(indexedFields);
    this.codec = new ObjectCodec(gvk, indexedFields);
    this.limits = limits;
    this.window = new Window(limits, 0);
    this.feeds = new FeedIndex(indexedFields.size());
    this.upstream = new Upstream(env, loop, store, prefix, limits, this);
  }

  public Gvk gvk() {
    return gvk;
  }

  /** The paths whose values are kept beside each object. */
  public List<String> indexedFields() {
    return indexedFields;
  }

  public ObjectCodec codec() {
    return codec;
  }

  public CacheFigures figures() {
    return figures;
  }

  /** Answered when reads can be served. The first who asks makes the cache follow the store. */
  public CompletableFuture<KindCache> ready() {
    if (started.compareAndSet(false, true)) {
      loop.execute(
          () -> {
            upstream.start();
            tickLater();
          });
    }
    return ready;
  }

  public boolean isReady() {
    return ready.isDone();
  }

  /** Has someone more called after each change, on the caches' loop: they must not stay. */
  public void follow(Runnable follower) {
    followers.add(follower);
  }

  /** The newest state known. */
  public Snapshot newest() {
    return published;
  }

  long publishedRevision() {
    return published.revision();
  }

  long floorRevision() {
    return floor;
  }

  /** The state as of at least the revision; fails with a timeout if it does not come in time. */
  public CompletableFuture<Snapshot> atLeast(long revision) {
    Snapshot now = published;
    if (now.revision() >= revision) {
      return CompletableFuture.completedFuture(now);
    }
    var answer = new CompletableFuture<Snapshot>();
    loop.execute(() -> await(revision, answer));
    return answer;
  }

  private void await(long revision, CompletableFuture<Snapshot> answer) {
    if (published.revision() >= revision) {
      answer.complete(published);
      return;
    }
    var reader = new Reader(revision, answer);
    readers.add(reader);
    upstream.requestProgress();
    Loop.Timer timer =
        loop.runLater(
            limits.waitMax(),
            () -> {
              if (readers.remove(reader)) {
                answer.completeExceptionally(tooLarge(revision).asException());
              }
            });
    var _ = answer.whenComplete((_, _) -> timer.cancel());
  }

  private Status tooLarge(long revision) {
    return Status.timeout(
        "Too large resource version: " + revision + ", current: " + published.revision(),
        List.of(new Status.Cause("ResourceVersionTooLarge", "Too large resource version", "")),
        1);
  }

  /** The state at exactly the revision if the window has it, else null. */
  public CompletableFuture<@Nullable Snapshot> exactly(long revision) {
    Snapshot now = published;
    if (now.revision() == revision) {
      return CompletableFuture.completedFuture(now);
    }
    var answer = new CompletableFuture<@Nullable Snapshot>();
    loop.execute(
        () -> {
          SortedTree<CachedObject> tree =
              revision >= treeSince && revision <= published.revision()
                  ? published.tree()
                  : window.stateAt(revision);
          answer.complete(tree == null ? null : new Snapshot(revision, tree));
        });
    return answer;
  }

  /** Opens a watch. Fails with the status that the client is to get. */
  public CompletableFuture<Watcher> watch(WatchRequest request) {
    long atLeast =
        switch (request.start()) {
          case WatchRequest.Start.After after -> after.revision();
          case WatchRequest.Start.State state -> state.notOlderThan();
        };
    var answer = new CompletableFuture<Watcher>();
    var _ =
        atLeast(atLeast)
            .whenComplete(
                (_, failure) -> {
                  if (failure != null) {
                    answer.completeExceptionally(failure);
                  } else {
                    loop.execute(() -> open(request, answer));
                  }
                });
    return answer;
  }

  private void open(WatchRequest request, CompletableFuture<Watcher> answer) {
    if (draining) {
      answer.completeExceptionally(
          Status.unavailable("the server is shutting down", 1).asException());
      return;
    }
    if (watchers.size() >= limits.watchesMax()) {
      figures.watchesRefused.increment();
      answer.completeExceptionally(
          Status.tooManyRequests(
                  "too many watches of "
                      + gvk.kind()
                      + " are open (limit "
                      + limits.watchesMax()
                      + "), please try again later",
                  1)
              .asException());
      return;
    }
    Watcher watcher =
        switch (request.start()) {
          case WatchRequest.Start.After after -> resumed(request, after.revision());
          case WatchRequest.Start.State state -> withState(request, state.announceEnd());
        };
    if (watcher == null) {
      figures.watchesTooOld.increment();
      long revision = ((WatchRequest.Start.After) request.start()).revision();
      answer.completeExceptionally(
          Status.expired("too old resource version: " + revision + " (" + floor + ")")
              .asException());
      return;
    }
    watcher.feed().watcherCame();
    watchers.add(watcher);
    figures.watchers = watchers.size();
    watcher.timeoutWith(loop.runLater(request.timeout(), () -> watcher.end(Watcher.End.TIMEOUT)));
    answer.complete(watcher);
  }

  private @Nullable Watcher resumed(WatchRequest request, long revision) {
    boolean mayLackSome =
        revision == floor && window.floorIsShared() && published.revision() > floor;
    if (revision < floor || mayLackSome) {
      return null;
    }
    Scope scope = request.scope();
    List<Feed.Type> types = new ArrayList<>();
    List<CachedObject> objects = new ArrayList<>();
    int atRevision = 0;
    for (CacheChange change : window.from(revision)) {
      Feed.Type type = Feed.typeOf(scope, change);
      if (type != null) {
        types.add(type);
        objects.add(shown(change, type));
        atRevision += change.revision() == revision ? 1 : 0;
      }
    }
    if (atRevision == 1) {
      // It was the only one, so it was seen. Of several of one transaction a watch that was cut
      // may have seen the first: those are shown once more.
      types.removeFirst();
      objects.removeFirst();
    }
    var backlog =
        objects.isEmpty()
            ? null
            : new Watcher.Backlog(
                types.toArray(new Feed.Type[0]), objects.toArray(new CachedObject[0]));
    return new Watcher(
        this,
        feeds.of(scope),
        request.representation(),
        request.bookmarks(),
        null,
        backlog,
        revision);
  }

  private Watcher withState(WatchRequest request, boolean announceEnd) {
    Snapshot now = published;
    return new Watcher(
        this,
        feeds.of(request.scope()),
        request.representation(),
        request.bookmarks(),
        new Watcher.Initial(
            now.tree().from(request.scope().firstKey()), now.revision(), announceEnd),
        null,
        now.revision());
  }

  /** What a watcher is shown: an object that is gone for it carries the version of its going. */
  private CachedObject shown(CacheChange change, Feed.Type type) {
    CachedObject current = change.current();
    if (type != Feed.Type.DELETED && current != null) {
      return current;
    }
    CachedObject previous = change.previous();
    if (previous == null) {
      throw new IllegalStateException("deleted what was not there");
    }
    return codec.gone(previous, change.revision());
  }

  /** A watch took changes, the oldest of which came at a time. From any thread. */
  void delivered(long sinceNanos) {
    deliveries.accept(env.clock().nanoTime() - sinceNanos);
  }

  /** Counts why a watch ended. Called once for each watch, from any thread. */
  void ended(Watcher watcher, Watcher.End why) {
    figures.ended(why);
  }

  void left(Watcher watcher) {
    try {
      loop.execute(
          () -> {
            if (watchers.remove(watcher)) {
              figures.watchers = watchers.size();
              watcher.feed().watcherLeft();
              feeds.dropIfUnused(watcher.feed());
            }
          });
    } catch (java.util.concurrent.RejectedExecutionException e) {
      // The caches are closed: there is nothing left to take it out of.
    }
  }

  /** The state is read anew: watchers cannot know what they missed. */
  void restart(long revision, List<CachedObject> objects) {
    boolean first = !ready.isDone();
    for (Watcher watcher : List.copyOf(watchers)) {
      watcher.expire(Watcher.End.RELIST);
    }
    if (!first) {
      figures.relists.increment();
    }
    window = new Window(limits, revision);
    floor = revision;
    treeSince = revision;
    objectBytes = objects.stream().mapToLong(CachedObject::memoryBytes).sum();
    publish(new Snapshot(revision, SortedTree.ofSorted(objects)));
  }

  /** The first state is complete: history up to now is in the window. */
  void becomeReady() {
    ready.complete(this);
  }

  void apply(WatchBatch batch) {
    Snapshot before = published;
    SortedTree<CachedObject> tree = before.tree();
    List<Feed> touched = new ArrayList<>();
    long now = env.clock().nanoTime();
    long last = 0;
    for (WatchBatch.Commit commit : batch.commits()) {
      long revision = commit.revision();
      long earlier = last;
      Invariants.hold(
          revision > earlier && revision <= batch.revision(),
          "cache_batch_order",
          () -> gvk + ": " + revision + " after " + earlier + " up to " + batch.revision());
      last = revision;
      if (revision <= before.revision()) {
        continue;
      }
      if (tree == before.tree()) {
        window.remember(treeSince, revision - 1, tree);
        treeSince = batch.revision();
      }
      for (Event event : commit.events()) {
        tree = apply(tree, event, revision, now, touched);
      }
    }
    publish(new Snapshot(Math.max(before.revision(), batch.revision()), tree));
    for (Feed feed : touched) {
      feed.wake();
    }
    trim(now);
  }

  private SortedTree<CachedObject> apply(
      SortedTree<CachedObject> tree, Event event, long revision, long now, List<Feed> touched) {
    String key = keyOf(event.key());
    CachedObject previous = tree.get(key);
    CachedObject current = event instanceof Event.Put put ? codec.read(key, put.current()) : null;
    if (previous == null && current == null) {
      return tree;
    }
    var change = new CacheChange(revision, previous, current, now);
    window.add(change);
    figures.events.increment();
    objectBytes +=
        (current == null ? 0 : current.memoryBytes())
            - (previous == null ? 0 : previous.memoryBytes());
    feeds.forEachConcerned(
        change,
        feed -> {
          Feed.Type type = Feed.typeOf(feed.scope(), change);
          if (type != null && feed.append(revision, type, shown(change, type), now)) {
            touched.add(feed);
          }
        });
    return current == null ? tree.without(key) : tree.with(current);
  }

  String keyOf(Bytes storeKey) {
    return new String(
        storeKey.array(),
        prefix.length(),
        storeKey.length() - prefix.length(),
        java.nio.charset.StandardCharsets.UTF_8);
  }

  private void publish(Snapshot snapshot) {
    long before = published.revision();
    Invariants.hold(
        snapshot.revision() >= before,
        "cache_publish_order",
        () -> gvk + ": revision " + snapshot.revision() + " after " + before);
    published = snapshot;
    figures.revision = snapshot.revision();
    figures.objects = snapshot.tree().size();
    figures.objectBytes = objectBytes;
    Reader reader;
    while ((reader = readers.peek()) != null && reader.revision <= snapshot.revision()) {
      var _ = readers.poll();
      reader.answer.complete(snapshot);
    }
    for (Runnable follower : followers) {
      follower.run();
    }
  }

  private void trim(long nowNanos) {
    if (window.trim(nowNanos)) {
      floor = window.floor();
      feeds.evictThrough(floor);
    }
    figures.windowEvents = window.size();
    figures.windowBytes = window.bytes();
  }

  private void tickLater() {
    var _ = loop.runLater(Ticks.INTERVAL, this::tick);
  }

  /** Once a second: what depends on time alone. */
  private void tick() {
    long now = env.clock().nanoTime();
    trim(now);
    long oldest = Long.MAX_VALUE;
    boolean wantsProgress = false;
    for (Watcher watcher : watchers) {
      if (watcher.isTooLate(floor)) {
        watcher.expire(Watcher.End.EXPIRED);
      } else if (!watcher.isIdle()) {
        oldest = Math.min(oldest, watcher.position());
      } else if (watcher.wantsBookmarks() && watcher.bookmarkIsDue(now, limits)) {
        wantsProgress |= watcher.position() == published.revision();
        watcher.bookmarkNow();
      }
    }
    figures.oldestCursor = oldest == Long.MAX_VALUE ? published.revision() : oldest;
    if (wantsProgress) {
      upstream.requestProgress();
    }
    if (!draining) {
      tickLater();
    }
  }

  /** Ends all watches cleanly and opens no more. */
  public void drain() {
    loop.execute(
        () -> {
          draining = true;
          for (Watcher watcher : List.copyOf(watchers)) {
            watcher.end(Watcher.End.SHUTDOWN);
          }
        });
  }

  /** Stops following the store. */
  public void close() {
    drain();
    loop.execute(
        () -> {
          upstream.close();
          Status closing = Status.unavailable("the server is shutting down", 1);
          readers.forEach(reader -> reader.answer.completeExceptionally(closing.asException()));
          readers.clear();
        });
  }
}
