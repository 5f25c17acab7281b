package dev.evenkeel.store.memory;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.engine.mvcc.Head;
import dev.evenkeel.store.engine.mvcc.Journal;
import dev.evenkeel.store.engine.mvcc.KeyChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All versions in a sorted map.
 *
 * <p><b>Threading.</b> Written by the sequencer's loop, read by any thread.
 */
final class MemoryJournal implements Journal {

  private final ConcurrentNavigableMap<Place, KeyChange> changes =
      new ConcurrentSkipListMap<>(
          java.util.Comparator.comparingLong(Place::revision).thenComparingInt(Place::position));
  private long revision = Store.FIRST_REVISION;
  private long compactedRevision;

  /** Takes a version from a snapshot, before the store is started. */
  void load(KeyChange change) {
    changes.put(new Place(change.revision(), change.position()), change);
  }

  /** Ends loading: the state is that of the revision, and nothing before it can be read. */
  void startAt(long snapshotRevision) {
    revision = snapshotRevision;
    compactedRevision = snapshotRevision;
  }

  @Override
  public void heads(BiConsumer<Bytes, Head> consumer) {
    List<KeyChange> byKey = new ArrayList<>(changes.values());
    byKey.sort(Comparator.comparing(KeyChange::key));
    for (KeyChange change : byKey) {
      Bytes value = java.util.Objects.requireNonNull(change.value(), "snapshots hold no deletions");
      consumer.accept(
          change.key(),
          new Head(
              change.revision(),
              change.position(),
              change.createRevision(),
              change.version(),
              value.length()));
    }
  }

  @Override
  public long revision() {
    return revision;
  }

  @Override
  public long compactedRevision() {
    return compactedRevision;
  }

  @Override
  public long prunedRevision() {
    return compactedRevision;
  }

  @Override
  public void append(List<KeyChange> appended) {
    for (KeyChange change : appended) {
      changes.put(new Place(change.revision(), change.position()), change);
    }
  }

  @Override
  public @Nullable KeyChange find(long atRevision, int position) {
    return changes.get(new Place(atRevision, position));
  }

  @Override
  public void scan(long from, long to, Predicate<KeyChange> visitor) {
    for (KeyChange change : changes.tailMap(new Place(from, 0), true).values()) {
      if (change.revision() > to || !visitor.test(change)) {
        return;
      }
    }
  }

  @Override
  public void compacted(long newCompactedRevision) {
    // Nothing survives the process, so there is nothing to remember.
  }

  @Override
  public void prune(List<Place> obsolete, List<Bytes> deletedKeys, long prunedTo) {
    obsolete.forEach(changes::remove);
  }

  @Override
  public long diskBytes() {
    return 0;
  }

  @Override
  public void close() {}
}
