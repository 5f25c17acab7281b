package dev.evenkeel.store.engine.watch;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.WatchBatch;
import java.util.concurrent.CompletableFuture;

/**
 * What a feed asks of its engine. All calls come from the feed's loop and must not block for long.
 */
public interface FeedSource {

  /**
   * Whether a watch may start at the revision: fails with Compacted at or below the compacted
   * revision, with FutureRevision more than one past the newest.
   */
  CompletableFuture<Void> admit(long fromRevision);

  /**
   * Changes below the prefix that are older than the feed's window: whole transactions with
   * revisions from {@code from} to {@code to}, both included, oldest first. It may stop early; the
   * batch's revision says how far it came, and is at least {@code from}.
   */
  CompletableFuture<WatchBatch> history(Bytes prefix, long from, long to, boolean withPrevious);

  /**
   * Completes with a revision at least as new as the store's at the time of this call, once all
   * changes below the prefix up to that revision have been published to the feed.
   */
  CompletableFuture<Long> progress(Bytes prefix);
}
