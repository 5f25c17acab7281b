package dev.evenkeel.store;

import dev.evenkeel.kernel.bytes.Bytes;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The authority: one ordered history of transactions over keys.
 *
 * <h2>Revisions</h2>
 *
 * An empty store is at revision 1. Each transaction that changes something takes the next revision,
 * and all its changes carry that one. A transaction that changes nothing (no writes, or only
 * deletes of keys that are not there) takes none. Revisions never go back, not across crashes or
 * restarts. A store made from a snapshot goes on from the snapshot's revision: whoever saw later
 * ones of the store it was taken from must start anew.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li>Commits and reads of the newest revision are linearizable: whoever is told of a revision,
 *       or hears of it from someone who was, reads at least that revision from then on.
 *   <li>A commit that was answered is durable, as far as the engine's durability setting goes.
 *   <li>A watch delivers every change below its prefix once, in order of revision, and never splits
 *       a transaction.
 *   <li>Whatever fails with {@link StoreException.UnknownOutcome} may have happened or may yet;
 *       whatever fails with another {@link StoreException} did not happen.
 * </ul>
 *
 * <h2>Threads</h2>
 *
 * All methods may be called from any thread and none blocks on the network or on a sync; local
 * engines may answer reads on the calling thread before they return. Futures may complete on a
 * thread of the engine's: what is chained to them must not block. Every future fails with a {@link
 * StoreException} and nothing else; arguments that can be judged without the store are judged the
 * same way, through the future.
 */
public interface Store extends AutoCloseable {

  /** As a revision in a read: the newest. */
  long NEWEST = 0;

  /** The revision of a store to which nothing was ever written. */
  long FIRST_REVISION = 1;

  /**
   * Commits the transaction if all its comparisons hold, as one change; otherwise changes nothing
   * and says which did not hold.
   */
  CompletableFuture<TxnResult> commit(Txn txn);

  /** Reads one key as it was at the revision, or is now with {@link #NEWEST}. */
  CompletableFuture<GetResult> get(Bytes key, long revision);

  /** Reads keys in order, all as of one revision. */
  CompletableFuture<RangeResult> range(RangeQuery query);

  /**
   * Watches a prefix. What is wrong with the query, a start below the compacted revision included,
   * is told by the first {@link Watch#next}.
   */
  Watch watch(WatchQuery query);

  /** The newest revision, confirmed by the authority: at least every revision answered before. */
  CompletableFuture<Long> currentRevision();

  /**
   * Forgets history: reads of revisions below the given one, and watches from it or below, fail
   * from now on with {@link StoreException.Compacted}. The state at that revision, and all that
   * came after, stays. Compacting what is already compacted fails the same way; compacting the
   * future fails with {@link StoreException.FutureRevision}, a revision below 1 with {@link
   * StoreException.InvalidRequest}.
   */
  CompletableFuture<@Nullable Void> compact(long revision);

  /**
   * Writes the state as of one revision to a file while the store goes on. The file appears under
   * its name only when it is whole and synced. How to start a store from it is the engine's to say.
   */
  CompletableFuture<SnapshotInfo> snapshot(Path file);

  /** Sizes and counts. */
  CompletableFuture<StoreStats> stats();

  /** What this engine accepts. */
  StoreLimits limits();

  /**
   * Answers what was handed in, ends all watches with {@link StoreException.Closed}, and lets go of
   * everything. Closing twice is fine.
   */
  @Override
  void close();
}
