package dev.evenkeel.store.etcd.read;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchBatch.Commit;
import dev.evenkeel.store.etcd.client.CallFailed;
import dev.evenkeel.store.etcd.client.Keyspace;
import io.etcd.jetcd.api.WatchResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads a piece of history for one prefix, by a watch of its own that ends when it has come far
 * enough. That watch covers all of the engine's keys: only an event tells how far it has come, and
 * the prefix itself may have none.
 *
 * <p><b>Threading.</b> On the loop.
 */
public final class HistoryRead implements WatchStreams.Listener {

  /** After so much the answer is given, and the rest is for the next read. */
  private static final int EVENTS_MAX = 4096;

  private static final long BYTES_MAX = 8 << 20;
  private static final Duration NUDGE = Duration.ofMillis(500);

  /** Without any news for so long, the read fails and may be tried elsewhere. */
  private static final int NUDGES_MAX = 8;

  private final Bytes prefix;
  private final long from;
  private final long to;
  private final Loop loop;
  private final Mark mark;
  private final CommitAssembler assembler;
  private final CompletableFuture<WatchBatch> result = new CompletableFuture<>();
  private final List<Commit> found = new ArrayList<>();
  private WatchStreams.@Nullable Stream stream;
  private Loop.@Nullable Timer timer;
  private int events;
  private long bytes;
  private int nudges;
  private boolean news;

  private HistoryRead(Keyspace keyspace, Loop loop, Mark mark, Bytes prefix, long from, long to) {
    this.prefix = prefix;
    this.from = from;
    this.to = to;
    this.loop = loop;
    this.mark = mark;
    this.assembler = new CommitAssembler(keyspace, from - 1);
  }

  /** The prefix's transactions from one revision to another, with previous values. */
  public static CompletableFuture<WatchBatch> start(
      WatchStreams streams,
      Keyspace keyspace,
      Loop loop,
      Mark mark,
      Bytes prefix,
      long from,
      long to) {
    var read = new HistoryRead(keyspace, loop, mark, prefix, from, to);
    // From one before, so that etcd refuses where the first one wanted is just compacted.
    read.stream = streams.open(keyspace.everything(), Math.max(1, from - 1), read);
    read.timer = loop.runLater(NUDGE, read::nudge);
    return read.result;
  }

  @Override
  public void onResponse(WatchResponse response) {
    if (response.getCompactRevision() > 0) {
      end();
      result.completeExceptionally(
          new StoreException.Compacted(from, response.getCompactRevision()));
      return;
    }
    if (response.getCanceled()) {
      fail("etcd canceled a read of history: " + response.getCancelReason());
      return;
    }
    news = true;
    try {
      for (Commit commit : assembler.add(response)) {
        if (commit.revision() <= to) {
          take(commit);
        }
      }
    } catch (IllegalStateException e) {
      fail(String.valueOf(e.getMessage()));
      return;
    }
    if (assembler.position() >= to) {
      finish(to);
    } else if (events >= EVENTS_MAX || bytes >= BYTES_MAX) {
      finish(assembler.position());
    }
  }

  private void take(Commit commit) {
    List<Event> own = new ArrayList<>();
    for (Event event : commit.events()) {
      if (event.key().startsWith(prefix)) {
        own.add(event);
        bytes += event instanceof Event.Put put ? put.current().value().length() : 0;
      }
    }
    if (!own.isEmpty()) {
      events += own.size();
      found.add(new Commit(commit.revision(), own));
    }
  }

  @Override
  public void onEnd(CallFailed failure) {
    fail("a read of history ended: " + failure.getMessage());
  }

  private void nudge() {
    if (news) {
      news = false;
      nudges = 0;
    } else if (++nudges > NUDGES_MAX) {
      fail("etcd does not answer a read of history");
      return;
    } else {
      mark.write();
    }
    timer = loop.runLater(NUDGE, this::nudge);
  }

  private void finish(long revision) {
    end();
    result.complete(new WatchBatch(revision, List.copyOf(found)));
  }

  private void fail(String why) {
    end();
    result.completeExceptionally(new StoreException.Unavailable(why, null));
  }

  private void end() {
    if (stream != null) {
      stream.close();
    }
    if (timer != null) {
      timer.cancel();
    }
  }
}
