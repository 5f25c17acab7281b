package dev.evenkeel.store.etcd.read;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchBatch.Commit;
import dev.evenkeel.store.WatchQuery;
import dev.evenkeel.store.engine.watch.FeedLimits;
import dev.evenkeel.store.engine.watch.FeedSource;
import dev.evenkeel.store.engine.watch.PrefixFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All watches of the engine: a feed for each prefix that is watched, all fed by one {@link
 * Upstream}, which is open while there are feeds.
 *
 * <p><b>Invariants.</b> Without feeds, and cursors about to attach to one, there is no upstream. A
 * feed is never ahead of the upstream's position, and has all of its prefix's transactions up to
 * its own revision. An event costs a look-up for each length of prefix that is watched, and the
 * feeds it concerns.
 *
 * <p><b>Threading.</b> On the loop, {@link #watch} excepted.
 */
public final class WatchHub implements FeedSource, Upstream.Sink {

  private record FeedKey(Bytes prefix, boolean withPrevious) {}

  private record Pending(WatchQuery query, LateWatch watch) {}

  /** Opens the upstream at a position. */
  public interface UpstreamOpener {
    Upstream open(Upstream.Sink sink, long position);
  }

  /** Reads history. */
  public interface HistorySource {
    CompletableFuture<WatchBatch> read(Bytes prefix, long from, long to);
  }

  /** How often feeds that nothing happened in hear how far the store has come. */
  private static final Duration MARKS = Duration.ofSeconds(1);

  /** How often it is checked that the upstream keeps up with etcd. */
  private static final Duration WATCHDOG = Duration.ofSeconds(10);

  private static final Duration RETRY = Duration.ofMillis(500);

  private final Loop loop;
  private final RangeReader reader;
  private final UpstreamOpener opener;
  private final HistorySource history;
  private final Map<FeedKey, PrefixFeed> feeds = new HashMap<>();
  private final NavigableMap<Integer, Map<Bytes, List<FeedKey>>> byPrefixLength = new TreeMap<>();
  private final List<Pending> pending = new ArrayList<>();
  private @Nullable Upstream upstream;
  private StoreException ending = new StoreException.Closed("the store is closed");
  private final List<CompletableFuture<@Nullable Void>> admissionWaiters = new ArrayList<>();
  private int attaching;
  private int admitting;
  private boolean opening;
  private boolean closed;

  public WatchHub(Loop loop, RangeReader reader, UpstreamOpener opener, HistorySource history) {
    this.loop = loop;
    this.reader = reader;
    this.opener = opener;
    this.history = history;
  }

  /** From any thread. */
  public Watch watch(WatchQuery query) {
    var watch = new LateWatch(loop);
    try {
      loop.execute(() -> start(new Pending(query, watch)));
    } catch (RejectedExecutionException _) {
      return LateWatch.failed(loop, new StoreException.Closed("the store is closed"));
    }
    return watch;
  }

  /**
   * Completes when nothing that our own watches still need goes with a compaction, or after the
   * given time: the watches whose {@code next} was called so far have been let in or refused, and
   * the upstream has come to the revision. Otherwise the compaction could overtake them on the way
   * to etcd. From any thread.
   */
  public CompletableFuture<@Nullable Void> readyToCompact(long revision, Duration atMost) {
    var done = new CompletableFuture<@Nullable Void>();
    var admitted = new CompletableFuture<@Nullable Void>();
    var _ =
        admitted.thenAccept(
            _ -> {
              if (upstream == null) {
                done.complete(null);
              } else {
                var _ = upstream.reached(revision).thenAccept(_ -> done.complete(null));
              }
            });
    try {
      loop.execute(
          () -> {
            admissionWaiters.add(admitted);
            tellAdmissions();
            later(atMost, () -> done.complete(null));
          });
    } catch (RejectedExecutionException _) {
      done.complete(null);
    }
    return done;
  }

  private void tellAdmissions() {
    if (!opening && admitting == 0) {
      List<CompletableFuture<@Nullable Void>> all = List.copyOf(admissionWaiters);
      admissionWaiters.clear();
      all.forEach(waiter -> waiter.complete(null));
    }
  }

  public int watches() {
    return feeds.values().stream().mapToInt(PrefixFeed::watches).sum();
  }

  public int watchedPrefixes() {
    return byPrefixLength.values().stream().mapToInt(Map::size).sum();
  }

  public void close() {
    closed = true;
    failAll(new StoreException.Closed("the store is closed"));
  }

  private void start(Pending wanted) {
    if (closed) {
      wanted.watch.fail(new StoreException.Closed("the store is closed"));
    } else if (upstream != null) {
      bind(wanted);
    } else {
      pending.add(wanted);
      openUpstream();
    }
  }

  private void openUpstream() {
    if (opening) {
      return;
    }
    opening = true;
    onLoop(
        untilAvailable(reader::currentRevision),
        revision -> {
          opening = false;
          List<Pending> waiting = List.copyOf(pending);
          pending.clear();
          if (closed) {
            return;
          }
          Upstream opened = opener.open(this, revision);
          upstream = opened;
          waiting.forEach(this::bind);
          // Behind the tasks with which those that wait ask to be let in.
          loop.execute(this::tellAdmissions);
          tickLater(opened);
          watchLater(opened);
        },
        failure -> {
          opening = false;
          List<Pending> waiting = List.copyOf(pending);
          pending.clear();
          waiting.forEach(wanted -> wanted.watch.fail(failure));
          tellAdmissions();
        });
  }

  /** Gives the watch its cursor, which asks for its feed with a task of its own. */
  private void bind(Pending wanted) {
    attaching++;
    Watch cursor =
        PrefixFeed.watch(
            loop,
            () -> {
              attaching--;
              return upstream == null
                  ? overFeed(wanted.query)
                  : feed(wanted.query, upstream.position());
            },
            wanted.query);
    wanted.watch.bind(cursor);
  }

  /** For who comes just after the end of all watches. */
  private PrefixFeed overFeed(WatchQuery query) {
    var feed = newFeed(new FeedKey(query.prefix(), query.withPrevious()), 0, () -> {});
    feed.fail(ending);
    return feed;
  }

  private PrefixFeed newFeed(FeedKey key, long revision, Runnable whenUnused) {
    return new PrefixFeed(
        key.prefix, key.withPrevious, revision, this, FeedLimits.DEFAULTS, whenUnused);
  }

  private PrefixFeed feed(WatchQuery query, long revision) {
    var key = new FeedKey(query.prefix(), query.withPrevious());
    @Nullable PrefixFeed known = feeds.get(key);
    if (known != null) {
      return known;
    }
    PrefixFeed feed = newFeed(key, revision, () -> drop(key));
    feeds.put(key, feed);
    byPrefixLength
        .computeIfAbsent(key.prefix.length(), _ -> new HashMap<>())
        .computeIfAbsent(key.prefix, _ -> new ArrayList<>())
        .add(key);
    return feed;
  }

  private void drop(FeedKey key) {
    feeds.remove(key);
    Map<Bytes, List<FeedKey>> sameLength = byPrefixLength.get(key.prefix.length());
    if (sameLength != null) {
      sameLength.computeIfPresent(
          key.prefix,
          (_, keys) -> {
            keys.remove(key);
            return keys.isEmpty() ? null : keys;
          });
      if (sameLength.isEmpty()) {
        byPrefixLength.remove(key.prefix.length());
      }
    }
    if (feeds.isEmpty() && attaching == 0 && upstream != null) {
      upstream.close();
      upstream = null;
    }
  }

  private void failAll(StoreException cause) {
    ending = cause;
    if (upstream != null) {
      upstream.close();
      upstream = null;
    }
    List<PrefixFeed> all = List.copyOf(feeds.values());
    feeds.clear();
    byPrefixLength.clear();
    all.forEach(feed -> feed.fail(cause));
    List<Pending> waiting = List.copyOf(pending);
    pending.clear();
    waiting.forEach(wanted -> wanted.watch.fail(cause));
  }

  @Override
  public void onCommits(List<Commit> commits, long position) {
    var batches = new LinkedHashMap<FeedKey, List<Commit>>();
    for (Commit commit : commits) {
      var parts = new LinkedHashMap<FeedKey, List<Event>>();
      for (Event event : commit.events()) {
        for (var sameLength : byPrefixLength.headMap(event.key().length(), true).entrySet()) {
          List<FeedKey> concerned =
              sameLength.getValue().get(event.key().first(sameLength.getKey()));
          if (concerned != null) {
            for (FeedKey key : concerned) {
              parts
                  .computeIfAbsent(key, _ -> new ArrayList<>())
                  .add(key.withPrevious ? event : withoutPrevious(event));
            }
          }
        }
      }
      parts.forEach(
          (key, events) ->
              batches
                  .computeIfAbsent(key, _ -> new ArrayList<>())
                  .add(new Commit(commit.revision(), List.copyOf(events))));
    }
    batches.forEach(
        (key, batch) -> {
          PrefixFeed feed = feeds.get(key);
          if (feed != null) {
            feed.publish(batch, position);
          }
        });
  }

  @Override
  public void onCompacted(long requested, long compactedRevision) {
    upstream = null;
    failAll(new StoreException.Compacted(requested, compactedRevision));
  }

  private static Event withoutPrevious(Event event) {
    if (event.previous() == null) {
      return event;
    }
    return switch (event) {
      case Event.Put put -> new Event.Put(put.current(), null);
      case Event.Delete delete -> new Event.Delete(delete.key(), null);
    };
  }

  private void tickLater(Upstream from) {
    later(
        MARKS,
        () -> {
          if (upstream == from) {
            for (PrefixFeed feed : List.copyOf(feeds.values())) {
              if (feed.revision() < from.position()) {
                feed.mark(from.position());
              }
            }
            tickLater(from);
          }
        });
  }

  /** Waiting for the newest revision is what makes a stuck upstream notice that it is stuck. */
  private void watchLater(Upstream from) {
    later(
        WATCHDOG,
        () -> {
          if (upstream == from) {
            onLoop(
                reader.currentRevision(),
                revision -> {
                  if (upstream == from) {
                    var _ = from.reached(revision);
                  }
                },
                _ -> {});
            watchLater(from);
          }
        });
  }

  @Override
  public CompletableFuture<Void> admit(long fromRevision) {
    // A watch from S needs all after S - 1: exactly what makes a read at S - 1 possible.
    long before = Math.max(1, fromRevision - 1);
    admitting++;
    return untilAvailable(() -> reader.checkReadable(before))
        .whenComplete(
            (_, _) -> {
              admitting--;
              tellAdmissions();
            })
        .<Void>thenApply(_ -> null)
        .exceptionallyCompose(
            error ->
                CompletableFuture.failedFuture(
                    switch (FutureFailure.cause(error)) {
                      case StoreException.Compacted e ->
                          new StoreException.Compacted(fromRevision, e.compactedRevision());
                      case StoreException.FutureRevision e ->
                          new StoreException.FutureRevision(fromRevision, e.currentRevision());
                      case Throwable e -> e;
                    }));
  }

  @Override
  public CompletableFuture<WatchBatch> history(
      Bytes prefix, long from, long to, boolean withPrevious) {
    CompletableFuture<WatchBatch> read = untilAvailable(() -> history.read(prefix, from, to));
    return withPrevious ? read : read.thenApply(WatchHub::withoutPrevious);
  }

  private static WatchBatch withoutPrevious(WatchBatch batch) {
    var commits = new ArrayList<Commit>();
    for (Commit commit : batch.commits()) {
      commits.add(
          new Commit(
              commit.revision(), commit.events().stream().map(WatchHub::withoutPrevious).toList()));
    }
    return new WatchBatch(batch.revision(), List.copyOf(commits));
  }

  @Override
  public CompletableFuture<Long> progress(Bytes prefix) {
    var result = new CompletableFuture<Long>();
    onLoop(
        untilAvailable(reader::currentRevision),
        revision -> {
          if (upstream != null) {
            var _ = upstream.reached(revision).thenAccept(result::complete);
          }
        },
        result::completeExceptionally);
    return result;
  }

  /** Asks again while etcd cannot be reached: a watch outlives that. On the loop. */
  private <T> CompletableFuture<T> untilAvailable(Supplier<CompletableFuture<T>> request) {
    var result = new CompletableFuture<T>();
    ask(request, result);
    return result;
  }

  private <T> void ask(Supplier<CompletableFuture<T>> request, CompletableFuture<T> result) {
    onLoop(
        request.get(),
        result::complete,
        failure -> {
          if (failure instanceof StoreException.Unavailable && !closed) {
            later(RETRY, () -> ask(request, result));
          } else {
            result.completeExceptionally(failure);
          }
        });
  }

  private <T> void onLoop(
      CompletableFuture<T> future,
      java.util.function.Consumer<T> done,
      java.util.function.Consumer<StoreException> failed) {
    var _ =
        future.whenComplete(
            (value, error) -> {
              Runnable task =
                  () -> {
                    if (error == null) {
                      done.accept(value);
                    } else {
                      failed.accept(storeException(FutureFailure.cause(error)));
                    }
                  };
              try {
                loop.execute(task);
              } catch (RejectedExecutionException _) {
                // The store is closed; its watches were told.
              }
            });
  }

  private static StoreException storeException(Throwable error) {
    return error instanceof StoreException expected
        ? expected
        : new StoreException.Unavailable("unexpected: " + error, error);
  }

  private void later(Duration delay, Runnable task) {
    try {
      var _ = loop.runLater(delay, task);
    } catch (RejectedExecutionException _) {
      // The store is closed.
    }
  }
}
