package dev.evenkeel.store.engine.mvcc;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.invariant.Invariants;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchBatch.Commit;
import dev.evenkeel.store.WatchQuery;
import dev.evenkeel.store.engine.watch.FeedSource;
import dev.evenkeel.store.engine.watch.PrefixFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Routes changes to the feeds of watched prefixes.
 *
 * <p>Watched prefixes stand in one table for each length that occurs, so a change is looked up once
 * for each length, however many prefixes are watched, and touches only the feeds it belongs to.
 * Kinds and namespaces give a handful of lengths.
 *
 * <p><b>Invariants.</b> {@code routedRevision} only grows; every feed has been given all changes
 * below its prefix up to it. A prefix is in the map exactly while it has a feed, and a feed is kept
 * exactly while it has watches.
 *
 * <p><b>Threading.</b> State belongs to the hub's loop. History is read on the background loop, so
 * that a reader far behind delays no one else.
 */
final class WatchHub implements FeedSource {

  /** After how many changes a read of history lets others have their turn. */
  private static final int HISTORY_CHANGES_MAX = 10_000;

  private final Loop loop;
  private final Loop background;
  private final MvccState state;
  private final Journal journal;
  private final MvccOptions options;

  private final TreeMap<Bytes, Feeds> prefixes = new TreeMap<>();
  private long routedRevision;
  private boolean markScheduled;
  private @Nullable StoreException ending;
  private final List<Waiter> waiters = new ArrayList<>();

  /** Who wants to know when everything up to the revision has been routed. */
  private record Waiter(long revision, CompletableFuture<Long> routed) {}

  /** A prefix's feeds: without previous states, and with them. */
  private static final class Feeds {
    @Nullable PrefixFeed plain;
    @Nullable PrefixFeed withPrevious;
  }

  WatchHub(Loop loop, Loop background, MvccState state, Journal journal, MvccOptions options) {
    this.loop = loop;
    this.background = background;
    this.state = state;
    this.journal = journal;
    this.options = options;
    this.routedRevision = state.revision();
  }

  /** How many watches there are, on how many prefixes, and what is kept for those that lag. */
  record Counts(int watches, int prefixes, long windowBytes) {}

  /** On the loop. */
  Counts counts() {
    List<PrefixFeed> feeds = allFeeds();
    return new Counts(
        feeds.stream().mapToInt(PrefixFeed::watches).sum(),
        prefixes.size(),
        feeds.stream().mapToLong(PrefixFeed::windowBytes).sum());
  }

  Loop loop() {
    return loop;
  }

  /** Opens a watch, from any thread; the query has been checked. */
  Watch watch(WatchQuery query) {
    return PrefixFeed.watch(loop, () -> feed(query), query);
  }

  /** Takes the changes of a batch, in order. From the sequencer's loop. */
  void publish(List<KeyChange> changes, long revision) {
    loop.execute(() -> route(changes, revision));
  }

  /** Ends all watches. */
  void close() {
    try {
      loop.execute(() -> failAll(new StoreException.Closed("the store is closed")));
    } catch (RejectedExecutionException _) {
      return; // closed before
    }
    loop.close();
  }

  private void failAll(StoreException cause) {
    ending = cause;
    for (PrefixFeed feed : allFeeds()) {
      feed.fail(cause);
    }
  }

  private List<PrefixFeed> allFeeds() {
    var feeds = new ArrayList<PrefixFeed>();
    for (Feeds pair : prefixes.values()) {
      if (pair.plain != null) {
        feeds.add(pair.plain);
      }
      if (pair.withPrevious != null) {
        feeds.add(pair.withPrevious);
      }
    }
    return feeds;
  }

  private PrefixFeed feed(WatchQuery query) {
    Bytes prefix = query.prefix();
    Feeds pair = prefixes.computeIfAbsent(prefix, _ -> new Feeds());
    PrefixFeed feed = query.withPrevious() ? pair.withPrevious : pair.plain;
    if (feed == null) {
      feed =
          new PrefixFeed(
              prefix,
              query.withPrevious(),
              routedRevision,
              this,
              options.feedLimits(),
              () -> letGo(prefix, query.withPrevious()));
      if (query.withPrevious()) {
        pair.withPrevious = feed;
      } else {
        pair.plain = feed;
      }
    }
    if (ending != null) {
      feed.fail(ending);
    }
    return feed;
  }

  private void letGo(Bytes prefix, boolean withPrevious) {
    Feeds pair = prefixes.get(prefix);
    if (pair == null) {
      return;
    }
    if (withPrevious) {
      pair.withPrevious = null;
    } else {
      pair.plain = null;
    }
    if (pair.plain == null && pair.withPrevious == null) {
      prefixes.remove(prefix);
    }
  }

  private void route(List<KeyChange> changes, long revision) {
    checkOrder(changes, revision);
    if (!prefixes.isEmpty()) {
      var touched = new LinkedHashMap<PrefixFeed, List<KeyChange>>();
      for (KeyChange change : changes) {
        collect(touched, change);
      }
      routedRevision = revision;
      touched.forEach((feed, own) -> publish(feed, own, revision));
      scheduleMark();
    }
    routedRevision = revision;
    if (!waiters.isEmpty()) {
      List<Waiter> ready = waiters.stream().filter(w -> w.revision <= revision).toList();
      waiters.removeAll(ready);
      ready.forEach(waiter -> waiter.routed.complete(revision));
    }
  }

  private void checkOrder(List<KeyChange> changes, long revision) {
    long before = routedRevision;
    boolean ordered = revision >= before;
    long last = before + 1;
    for (KeyChange change : changes) {
      ordered &= change.revision() >= last;
      last = change.revision();
    }
    Invariants.hold(
        ordered && (changes.isEmpty() || last <= revision),
        "store_publish_order",
        () ->
            "revisions "
                + changes.stream().map(KeyChange::revision).toList()
                + " up to "
                + revision
                + " after "
                + before);
  }

  private void publish(PrefixFeed feed, List<KeyChange> changes, long revision) {
    List<Commit> commits;
    try {
      commits = commits(changes, feed.withPrevious());
    } catch (StoreException e) {
      feed.fail(e); // better ended than with a hole
      return;
    }
    feed.publish(commits, revision);
  }

  /**
   * Finds the feeds that the change is for, from the longest prefix down. In the order of bytes all
   * that stands between a key and a prefix of it begins with that prefix; so from a neighbour that
   * is none, it goes on with what the two have in common, past all the kinds that have nothing.
   */
  private void collect(Map<PrefixFeed, List<KeyChange>> touched, KeyChange change) {
    Bytes key = change.key();
    Map.Entry<Bytes, Feeds> near = prefixes.floorEntry(key);
    while (near != null) {
      Bytes prefix = near.getKey();
      int common = key.common(prefix);
      if (common < prefix.length()) {
        near = prefixes.floorEntry(key.first(common));
      } else {
        collect(touched, near.getValue().plain, change);
        collect(touched, near.getValue().withPrevious, change);
        near = prefixes.lowerEntry(prefix);
      }
    }
  }

  private static void collect(
      Map<PrefixFeed, List<KeyChange>> touched, @Nullable PrefixFeed feed, KeyChange change) {
    if (feed != null) {
      touched.computeIfAbsent(feed, _ -> new ArrayList<>()).add(change);
    }
  }

  /** Groups changes by transaction. */
  private List<Commit> commits(List<KeyChange> changes, boolean withPrevious) {
    var commits = new ArrayList<Commit>();
    int start = 0;
    for (int i = 1; i <= changes.size(); i++) {
      long revision = changes.get(start).revision();
      if (i == changes.size() || changes.get(i).revision() != revision) {
        var events = new ArrayList<Event>(i - start);
        for (KeyChange change : changes.subList(start, i)) {
          events.add(event(change, withPrevious));
        }
        commits.add(new Commit(revision, List.copyOf(events)));
        start = i;
      }
    }
    return commits;
  }

  private Event event(KeyChange change, boolean withPrevious) {
    KeyChange before = withPrevious ? previous(change) : null;
    KeyValue previous = before == null ? null : before.state();
    KeyValue current = change.state();
    return current == null
        ? new Event.Delete(change.key(), previous)
        : new Event.Put(current, previous);
  }

  private @Nullable KeyChange previous(KeyChange change) {
    return change.previousRevision() == 0
        ? null
        : journal.find(change.previousRevision(), change.previousPosition());
  }

  /** Read twice, here and for the event: batches of previous states are rare, memory is dear. */
  private int previousBytes(KeyChange change) {
    KeyChange before = previous(change);
    return before == null ? 0 : before.bytes();
  }

  /** While the store changes, quiet prefixes hear of it from time to time. */
  private void scheduleMark() {
    if (markScheduled) {
      return;
    }
    markScheduled = true;
    try {
      var _ =
          loop.runLater(
              Duration.ofMillis(options.progressIntervalMillis()),
              () -> {
                markScheduled = false;
                for (PrefixFeed feed : allFeeds()) {
                  feed.mark(routedRevision);
                }
              });
    } catch (RejectedExecutionException _) {
      markScheduled = false; // closing
    }
  }

  @Override
  public CompletableFuture<Void> admit(long fromRevision) {
    long compacted = state.compactedRevision();
    if (fromRevision <= compacted) {
      return CompletableFuture.failedFuture(new StoreException.Compacted(fromRevision, compacted));
    }
    long current = state.revision();
    if (fromRevision > current + 1) {
      return CompletableFuture.failedFuture(
          new StoreException.FutureRevision(fromRevision, current));
    }
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<WatchBatch> history(
      Bytes prefix, long from, long to, boolean withPrevious) {
    return CompletableFuture.supplyAsync(
        () -> readHistory(prefix, from, to, withPrevious), background);
  }

  private WatchBatch readHistory(Bytes prefix, long from, long to, boolean withPrevious) {
    var found = new ArrayList<KeyChange>();
    long[] seen = {0, from - 1, 0}; // how many, the revision of the last, bytes found
    boolean[] stopped = {false};
    journal.scan(
        from,
        to,
        change -> {
          boolean enough =
              seen[0] >= HISTORY_CHANGES_MAX
                  || found.size() >= options.feedLimits().batchEventsMax()
                  || seen[2] >= options.feedLimits().batchBytesMax();
          if (enough && change.revision() != seen[1]) {
            stopped[0] = true;
            return false;
          }
          seen[0]++;
          seen[1] = change.revision();
          if (change.key().startsWith(prefix)) {
            found.add(change);
            seen[2] += change.bytes() + (withPrevious ? previousBytes(change) : 0);
          }
          return true;
        });
    List<Commit> commits = commits(found, withPrevious);
    // Judged after reading: what is compacted meanwhile may have been missing from the scan.
    long compacted = state.compactedRevision();
    if (from <= compacted) {
      throw new StoreException.Compacted(from, compacted);
    }
    return new WatchBatch(stopped[0] ? seen[1] : to, commits);
  }

  /** A revision is visible a moment before it is routed: whoever has seen it waits for that. */
  @Override
  public CompletableFuture<Long> progress(Bytes prefix) {
    long visible = state.revision();
    if (routedRevision >= visible) {
      return CompletableFuture.completedFuture(routedRevision);
    }
    var waiter = new Waiter(visible, new CompletableFuture<>());
    waiters.add(waiter);
    return waiter.routed;
  }
}
