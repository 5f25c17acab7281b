package dev.evenkeel.store.engine.mvcc;

import dev.evenkeel.kernel.bytes.Bytes;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where versions are kept: what makes one local engine different from another.
 *
 * <p><b>Threading.</b> {@link #append}, {@link #compacted} and {@link #prune} are called by the
 * sequencer's loop alone; the reads by any thread, also while one of those runs. Reads after {@link
 * #close} fail with Closed.
 */
public interface Journal extends AutoCloseable {

  /**
   * The newest version of every key, in the order of the keys, deletions included that compaction
   * has not passed.
   */
  void heads(BiConsumer<Bytes, Head> consumer);

  /** The newest revision at start. */
  long revision();

  /** The compacted revision at start, 0 if none. */
  long compactedRevision();

  /** Up to which revision what compaction left obsolete has been pruned, at start. */
  long prunedRevision();

  /**
   * Keeps the changes, all or none, and returns when they are as durable as they are going to be.
   * If it throws {@link dev.evenkeel.store.StoreException.OutOfSpace}, nothing was kept; if it
   * throws anything else, nobody knows.
   */
  void append(List<KeyChange> changes);

  /** The version at that place, or null if it was pruned or never was. */
  @Nullable KeyChange find(long revision, int position);

  /** Visits changes in order, from and to included, until the visitor returns false. */
  void scan(long from, long to, Predicate<KeyChange> visitor);

  /** Remembers, durably, that history below the revision is not to be read any more. */
  void compacted(long revision);

  /**
   * Removes versions that no revision above the compacted one can see.
   *
   * @param obsolete versions to remove; some may be gone already
   * @param deletedKeys keys whose newest version is a deletion being removed
   * @param prunedTo up to which revision pruning has come with this
   */
  void prune(List<Place> obsolete, List<Bytes> deletedKeys, long prunedTo);

  /** What is held on disk. */
  long diskBytes();

  @Override
  void close();

  /** Where a version stands. */
  record Place(long revision, int position) {}
}
