package dev.evenkeel.store.etcd.read;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.WatchBatch.Commit;
import dev.evenkeel.store.etcd.client.CallFailed;
import dev.evenkeel.store.etcd.client.EtcdClient;
import dev.evenkeel.store.etcd.client.Keyspace;
import dev.evenkeel.store.etcd.client.LiveEtcdCounters;
import io.etcd.jetcd.api.WatchResponse;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The engine's one watch on etcd: everything below the engine's prefix, in order, for as long as it
 * is open, whatever happens to connections and members.
 *
 * <p><b>Invariants.</b> Transactions are handed on whole, once, in order; the position is the last
 * one's revision or a later one up to which there are no more. A new stream starts <em>at</em> the
 * position, not behind it, and drops what it has: etcd then refuses if anything behind the position
 * was compacted. Starting behind it would accept a position that is just compacted, whose deletes
 * are gone.
 *
 * <p><b>Threading.</b> On the loop.
 */
public final class Upstream {

  /** Where it all goes. */
  public interface Sink {

    /** Whole transactions; up to the position there are no others. */
    void onCommits(List<Commit> commits, long position);

    /** The position was compacted while the watch was away: there is a gap, so this is the end. */
    void onCompacted(long requested, long compactedRevision);
  }

  private record Waiter(long revision, CompletableFuture<Long> done) {}

  /** After how long without news somebody who waits has the mark written. */
  private static final Duration NUDGE = Duration.ofMillis(500);

  /** After how long without news, in spite of the mark, a stream is given up for another. */
  private static final Duration STUCK = Duration.ofSeconds(4);

  private final EtcdClient client;
  private final WatchStreams streams;
  private final Keyspace keyspace;
  private final Loop loop;
  private final Clock clock;
  private final Mark mark;
  private final LiveEtcdCounters tally;
  private final Sink sink;
  private final PriorityQueue<Waiter> waiters =
      new PriorityQueue<>(Comparator.comparingLong(Waiter::revision));

  private CommitAssembler assembler;
  private WatchStreams.@Nullable Stream stream;
  private Loop.@Nullable Timer nudgeTimer;
  private int attempts;
  private long newsNanos;
  private boolean closed;

  public Upstream(
      EtcdClient client,
      WatchStreams streams,
      Keyspace keyspace,
      Loop loop,
      Clock clock,
      Mark mark,
      LiveEtcdCounters tally,
      Sink sink,
      long position) {
    this.client = client;
    this.streams = streams;
    this.keyspace = keyspace;
    this.loop = loop;
    this.clock = clock;
    this.mark = mark;
    this.tally = tally;
    this.sink = sink;
    this.assembler = new CommitAssembler(keyspace, position);
    tally.upstreamWatches = 1;
    tally.upstreamRevision = position;
    open();
  }

  long position() {
    return assembler.position();
  }

  /** Completes with the position, on the loop, once it is at the revision or behind it. */
  CompletableFuture<Long> reached(long revision) {
    if (position() >= revision) {
      return CompletableFuture.completedFuture(position());
    }
    var waiter = new Waiter(revision, new CompletableFuture<>());
    waiters.add(waiter);
    if (nudgeTimer == null) {
      newsNanos = clock.nanoTime();
      nudgeTimer = loop.runLater(NUDGE, this::nudge);
    }
    return waiter.done;
  }

  /** Ends it without another word; who waits for a revision waits for ever. */
  void close() {
    closed = true;
    tally.upstreamWatches = 0;
    if (stream != null) {
      stream.close();
    }
    if (nudgeTimer != null) {
      nudgeTimer.cancel();
    }
    waiters.clear();
  }

  private void open() {
    if (closed) {
      return;
    }
    newsNanos = clock.nanoTime();
    // What a lost stream had begun to deliver comes again, whole.
    assembler = new CommitAssembler(keyspace, position());
    stream =
        streams.open(
            keyspace.everything(),
            Math.max(1, position()),
            new WatchStreams.Listener() {
              @Override
              public void onResponse(WatchResponse response) {
                take(response);
              }

              @Override
              public void onEnd(CallFailed failure) {
                tally.error(failure.text());
                if (failure.staleToken()) {
                  client.forgetToken();
                }
                replace();
              }
            });
  }

  private void take(WatchResponse response) {
    if (response.getCanceled()) {
      canceled(response);
      return;
    }
    List<Commit> commits;
    try {
      commits = assembler.add(response);
    } catch (IllegalStateException e) {
      tally.error(String.valueOf(e.getMessage()));
      replace();
      return;
    }
    newsNanos = clock.nanoTime();
    attempts = 0;
    tally.upstreamRevision = position();
    sink.onCommits(commits, position());
    while (!waiters.isEmpty() && waiters.element().revision() <= position()) {
      waiters.remove().done().complete(position());
    }
  }

  private void canceled(WatchResponse response) {
    if (response.getCompactRevision() > 0) {
      long position = position();
      close();
      sink.onCompacted(position + 1, response.getCompactRevision());
      return;
    }
    tally.error("etcd canceled the watch: " + response.getCancelReason());
    // Among others for a token that is too old.
    client.forgetToken();
    replace();
  }

  private void replace() {
    if (closed) {
      return;
    }
    if (stream != null) {
      client.leave(stream.endpoint());
      stream.close();
      stream = null;
    }
    tally.upstreamResumes.increment();
    attempts++;
    newsNanos = clock.nanoTime();
    var _ = loop.runLater(client.backoff(attempts), this::open);
  }

  /** Somebody waits for a revision: sees to it that there is news, or another stream. */
  private void nudge() {
    nudgeTimer = null;
    if (closed || waiters.isEmpty()) {
      return;
    }
    long silentNanos = clock.nanoTime() - newsNanos;
    if (silentNanos >= STUCK.toNanos() && stream != null) {
      tally.error("the watch at " + stream.endpoint().name() + " was silent while etcd moved on");
      replace();
    } else if (silentNanos >= NUDGE.toNanos()) {
      mark.write();
    }
    nudgeTimer = loop.runLater(NUDGE, this::nudge);
  }
}
