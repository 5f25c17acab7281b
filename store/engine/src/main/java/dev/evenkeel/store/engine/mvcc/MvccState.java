package dev.evenkeel.store.engine.mvcc;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What is visible: the index of heads, the newest revision, the compacted revision.
 *
 * <p>Readers take no lock. A reader fixes its revision first; whatever is newer in the index it
 * steps over, back along the journal's list of the key's versions. So a half-published batch is
 * never seen.
 *
 * <p><b>Invariants.</b> {@code revision} and {@code compactedRevision} only grow, and the second is
 * at most the first. When {@code revision} says R, the index holds every head up to R.
 *
 * <p><b>Threading.</b> Written by the sequencer's loop, read by any thread.
 */
final class MvccState {

  /** What an index entry costs beside the key's bytes: see KeyIndex. */
  static final int INDEX_ENTRY_BYTES = 140;

  private final KeyIndex index;
  private final Journal journal;
  private final ValueCache values;
  private volatile long revision;
  private volatile long compactedRevision;
  private volatile Totals totals = new Totals(0, 0, 0, 0);

  /** Sums over the index. */
  record Totals(long keys, long keyBytes, long valueBytes, long entries) {}

  MvccState(Journal journal, long valueCacheBytesMax) {
    this.journal = journal;
    this.values = new ValueCache(journal, valueCacheBytesMax);
    this.revision = journal.revision();
    this.compactedRevision = journal.compactedRevision();
    long[] sums = new long[4];
    var loader = new KeyIndex.Loader();
    journal.heads(
        (key, head) -> {
          loader.add(key, head);
          sums[3]++;
          if (!head.deleted()) {
            sums[0]++;
            sums[1] += key.length();
            sums[2] += head.valueLength();
          }
        });
    this.index = loader.load();
    this.totals = new Totals(sums[0], sums[1], sums[2], sums[3]);
  }

  long revision() {
    return revision;
  }

  long compactedRevision() {
    return compactedRevision;
  }

  Totals totals() {
    return totals;
  }

  long memoryBytes() {
    Totals now = totals;
    return now.entries * INDEX_ENTRY_BYTES + now.keyBytes + values.heldBytes();
  }

  @Nullable Head head(Bytes key) {
    return index.head(key);
  }

  /** Visits keys in order, from the start on, until the visitor returns false. */
  void visit(Bytes start, BiPredicate<Bytes, Head> visitor) {
    index.visit(start, visitor);
  }

  KeyValue keyOnly(Bytes key, Head head) {
    return new KeyValue(
        key, Bytes.EMPTY, head.createRevision(), head.modRevision(), head.version());
  }

  KeyValue keyValue(Bytes key, Head head) {
    return new KeyValue(
        key, values.value(key, head), head.createRevision(), head.modRevision(), head.version());
  }

  /** The key as of the revision, found from its head; null if it was not there. */
  @Nullable KeyValue asOf(Bytes key, Head head, long asOfRevision, boolean withValue) {
    if (head.modRevision() <= asOfRevision) {
      if (head.deleted()) {
        return null;
      }
      return withValue ? keyValue(key, head) : keyOnly(key, head);
    }
    KeyChange change = versionAsOf(head, asOfRevision);
    return change == null ? null : change.state();
  }

  /**
   * The key's version as of the revision, a deletion included; null if there was none yet. Null
   * also where it was a deletion that has been pruned, which comes to the same.
   */
  @Nullable KeyChange versionAsOf(Head head, long asOfRevision) {
    KeyChange change = journal.find(head.modRevision(), head.position());
    while (change != null && change.revision() > asOfRevision) {
      change =
          change.previousRevision() == 0
              ? null
              : journal.find(change.previousRevision(), change.previousPosition());
    }
    return change;
  }

  /** Throws if the revision cannot be read: not there yet, or compacted. */
  void checkReadable(long asked) {
    if (asked > revision) {
      throw new StoreException.FutureRevision(asked, revision);
    }
    if (asked < compactedRevision) {
      throw new StoreException.Compacted(asked, compactedRevision);
    }
  }

  /** Makes a batch visible. */
  void publish(List<KeyChange> changes, Map<Bytes, Head> heads, long newRevision) {
    long keys = totals.keys;
    long keyBytes = totals.keyBytes;
    long valueBytes = totals.valueBytes;
    long entries = totals.entries;
    for (Map.Entry<Bytes, Head> staged : heads.entrySet()) {
      Bytes key = staged.getKey();
      Head head = staged.getValue();
      Bytes value = head.cached;
      if (value != null) {
        head.cached = null;
        values.admit(head, value);
      }
      Head before = index.put(key, head);
      if (before == null) {
        entries++;
      } else if (!before.deleted()) {
        keys--;
        keyBytes -= key.length();
        valueBytes -= before.valueLength();
      }
      if (!head.deleted()) {
        keys++;
        keyBytes += key.length();
        valueBytes += head.valueLength();
      }
    }
    totals = new Totals(keys, keyBytes, valueBytes, entries);
    revision = newRevision;
  }

  void compacted(long newCompactedRevision) {
    compactedRevision = newCompactedRevision;
  }

  /** Takes the key out of the index if its head is still that deletion. */
  boolean forget(Bytes key, Journal.Place deletion) {
    Head head = index.head(key);
    if (head == null
        || !head.deleted()
        || head.modRevision() != deletion.revision()
        || head.position() != deletion.position()) {
      return false;
    }
    index.remove(key);
    Totals now = totals;
    totals = new Totals(now.keys, now.keyBytes, now.valueBytes, now.entries - 1);
    return true;
  }
}
