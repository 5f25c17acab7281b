package dev.evenkeel.store.rocksdb;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.engine.mvcc.Head;
import dev.evenkeel.store.engine.mvcc.Journal;
import dev.evenkeel.store.engine.mvcc.KeyChange;
import dev.evenkeel.store.engine.mvcc.SnapshotFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The journal in RocksDB: versions in one column family, by revision; heads in another, by key, so
 * that a start reads keys and not values; compaction's progress in a third.
 *
 * <p>Log keys grow with every write, so RocksDB never merges what it flushes and each value is
 * written once to its log and once to a table. Only the heads, which are small, take part in
 * merging.
 *
 * <p><b>Invariants.</b> A version and its head are in the same write batch. The acked mark is set
 * after the batch is synced and before the append returns.
 *
 * <p><b>Threading.</b> As {@link Journal} says. Native memory must not be touched after it is
 * freed, so reads are counted and {@link #close} waits for them.
 */
final class RocksJournal implements Journal {

  private static final System.Logger LOG = System.getLogger(RocksJournal.class.getName());
  private static final byte[] COMPACTED = "compacted".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PRUNED = "pruned".getBytes(StandardCharsets.US_ASCII);
  private static final int LOAD_BATCH_BYTES = 4 << 20;
  private static final int BUFFER_BYTES = 4 << 10;

  /** What has grown larger than this is not kept. */
  private static final int BUFFER_BYTES_KEPT = 64 << 10;

  private static final long UNKNOWN_LOSS_REVISIONS = 1L << 32;

  private final DataFolder folder;
  private final EmbeddedOptions options;
  private final RocksFiles files;
  private final AckedMark acked;
  private final WriteOptions writing;
  private final WriteBatch batch = new WriteBatch();
  private ByteBuffer key = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private ByteBuffer value = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final Readers readers = new Readers();
  private long startRevision;
  private long keptRevision; // sequencer's loop

  private RocksJournal(
      DataFolder folder, EmbeddedOptions options, RocksFiles files, AckedMark acked) {
    this.folder = folder;
    this.options = options;
    this.files = files;
    this.acked = acked;
    this.writing = new WriteOptions().setSync(options.durability() == Durability.SYNC);
  }

  /** Opens the folder's journal; closing it closes the folder. */
  static RocksJournal open(DataFolder folder, EmbeddedOptions options) {
    AckedMark acked = AckedMark.open(folder);
    RocksFiles files;
    try {
      files = RocksFiles.open(folder, options.blockCacheBytesMax());
    } catch (Throwable e) {
      acked.close();
      throw e;
    }
    var journal = new RocksJournal(folder, options, files, acked);
    boolean opened = false;
    try {
      journal.startRevision = journal.recoveredRevision();
      opened = true;
      return journal;
    } catch (RocksDBException e) {
      throw files.translate("cannot be read", e);
    } finally {
      if (!opened) {
        journal.closeFiles();
      }
    }
  }

  /** Fills a new folder with a snapshot's state. */
  static void load(DataFolder folder, EmbeddedOptions options, Path snapshot, long revision) {
    RocksJournal journal = open(folder, options);
    try {
      var pending = new ArrayList<KeyChange>();
      int[] bytes = {0};
      SnapshotFile.read(
          snapshot,
          change -> {
            pending.add(change);
            bytes[0] += ChangeCodec.bytes(change);
            if (bytes[0] >= LOAD_BATCH_BYTES) {
              journal.append(pending);
              pending.clear();
              bytes[0] = 0;
            }
          });
      journal.append(pending);
      journal.compacted(revision);
      journal.prune(List.of(), List.of(), revision);
      journal.acked.acknowledge(revision);
    } finally {
      journal.closeFiles();
    }
  }

  private long recoveredRevision() throws RocksDBException {
    long revision = Math.max(Store.FIRST_REVISION, number(COMPACTED));
    try (RocksIterator last = files.db().newIterator(files.log())) {
      last.seekToLast();
      if (last.isValid()) {
        revision = Math.max(revision, ChangeCodec.revision(last.key()));
      }
      last.status();
    }
    long acknowledged = acked.revision();
    if (acknowledged <= revision && acknowledged >= 0) {
      return revision;
    }
    String loss =
        acknowledged < 0
            ? "its file acked is damaged, so nobody can say whether its log is whole"
            : "its log ends at revision "
                + revision
                + ", but writes up to revision "
                + acknowledged
                + " were acknowledged";
    if (!options.acceptLoss()) {
      throw folder.damaged(
          loss + " (to go on without what is lost, start once with --accept-loss)", null);
    }
    // Lost revisions are never given out again: history starts anew behind them, and where nobody
    // can say how many were lost, far behind.
    long floor =
        acknowledged < 0 ? revision + UNKNOWN_LOSS_REVISIONS : Math.max(revision, acknowledged);
    put(COMPACTED, floor);
    acked.acknowledge(floor);
    return floor;
  }

  @Override
  public void heads(BiConsumer<Bytes, Head> consumer) {
    readers.enter();
    try (var reading = new ReadOptions().setReadaheadSize(2 << 20).setFillCache(false);
        RocksIterator heads = files.db().newIterator(files.index(), reading)) {
      for (heads.seekToFirst(); heads.isValid(); heads.next()) {
        consumer.accept(Bytes.wrap(heads.key()), ChangeCodec.head(heads.value()));
      }
      heads.status();
    } catch (RocksDBException e) {
      throw files.translate("cannot be read", e);
    } finally {
      readers.exit();
    }
  }

  @Override
  public long revision() {
    return startRevision;
  }

  @Override
  public long compactedRevision() {
    return readNumber(COMPACTED);
  }

  @Override
  public long prunedRevision() {
    return readNumber(PRUNED);
  }

  @Override
  public void append(List<KeyChange> changes) {
    if (changes.isEmpty()) {
      return;
    }
    readers.enter();
    try {
      batch.clear();
      for (KeyChange change : changes) {
        add(change);
      }
      checkSpace();
      files.db().write(writing, batch);
    } catch (RocksDBException e) {
      // Also for a full disk: part of the batch may have reached it, and nobody can say which.
      throw new StoreException.Unavailable(
          String.valueOf(files.translate("cannot be written", e).getMessage()), e);
    } finally {
      readers.exit();
    }
    keptRevision = changes.getLast().revision();
    if (options.durability() == Durability.SYNC) {
      acked.acknowledge(keptRevision);
    }
  }

  /** From memory outside the heap, which is used again: it is copied once, not three times. */
  private void add(KeyChange change) throws RocksDBException {
    key.clear();
    ChangeCodec.place(change.revision(), change.position(), key);
    value = cleared(value, ChangeCodec.bytes(change));
    ChangeCodec.change(change, value);
    batch.put(files.log(), key.flip(), value.flip());
    key = cleared(key, change.key().length());
    key.put(change.key().array());
    value.clear();
    ChangeCodec.head(change, value);
    batch.put(files.index(), key.flip(), value.flip());
    if (value.capacity() > BUFFER_BYTES_KEPT) {
      value = ByteBuffer.allocateDirect(BUFFER_BYTES);
    }
  }

  private static ByteBuffer cleared(ByteBuffer buffer, int bytes) {
    return bytes <= buffer.capacity() ? buffer.clear() : ByteBuffer.allocateDirect(bytes);
  }

  private void checkSpace() {
    long usable = folder.usableBytes();
    if (usable < options.freeBytesMin() + batch.getDataSize()) {
      throw new StoreException.OutOfSpace(
          "the disk of the data folder "
              + folder.path()
              + " is full: "
              + (usable >> 20)
              + " MiB are left, and writes need "
              + (options.freeBytesMin() >> 20)
              + " MiB to spare. Free some space; writes go on by themselves then.",
          null);
    }
  }

  @Override
  public @Nullable KeyChange find(long revision, int position) {
    readers.enter();
    try {
      byte[] bytes = files.db().get(files.log(), ChangeCodec.place(revision, position));
      return bytes == null ? null : ChangeCodec.change(revision, position, bytes);
    } catch (RocksDBException e) {
      throw files.translate("cannot be read", e);
    } finally {
      readers.exit();
    }
  }

  @Override
  public void scan(long from, long to, Predicate<KeyChange> visitor) {
    readers.enter();
    byte[] end = ChangeCodec.place(to + 1, 0);
    try (var upper = new Slice(end);
        var reading = new ReadOptions().setIterateUpperBound(upper).setFillCache(false);
        RocksIterator changes = files.db().newIterator(files.log(), reading)) {
      for (changes.seek(ChangeCodec.place(from, 0)); changes.isValid(); changes.next()) {
        if (!visitor.test(ChangeCodec.change(changes.key(), changes.value()))) {
          return;
        }
      }
      changes.status();
    } catch (RocksDBException e) {
      throw files.translate("cannot be read", e);
    } finally {
      readers.exit();
    }
  }

  @Override
  public void compacted(long revision) {
    readers.enter();
    try {
      put(COMPACTED, revision);
    } catch (RocksDBException e) {
      throw new StoreException.UnknownOutcome(
          String.valueOf(files.translate("cannot be written", e).getMessage()), e);
    } finally {
      readers.exit();
    }
  }

  @Override
  public void prune(List<Place> obsolete, List<Bytes> deletedKeys, long prunedTo) {
    readers.enter();
    try (var lazily = new WriteOptions()) {
      batch.clear();
      for (Place place : obsolete) {
        batch.delete(files.log(), ChangeCodec.place(place.revision(), place.position()));
      }
      for (Bytes key : deletedKeys) {
        batch.delete(files.index(), key.array());
      }
      batch.put(PRUNED, ByteBuffer.allocate(Long.BYTES).putLong(prunedTo).array());
      files.db().write(lazily, batch);
    } catch (RocksDBException e) {
      throw files.translate("cannot be written", e);
    } finally {
      readers.exit();
    }
  }

  private void put(byte[] name, long value) throws RocksDBException {
    try (var synced = new WriteOptions().setSync(true)) {
      files.db().put(synced, name, ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }
  }

  private long number(byte[] name) throws RocksDBException {
    byte[] bytes = files.db().get(name);
    return bytes == null ? 0 : ByteBuffer.wrap(bytes).getLong();
  }

  private long readNumber(byte[] name) {
    readers.enter();
    try {
      return number(name);
    } catch (RocksDBException e) {
      throw files.translate("cannot be read", e);
    } finally {
      readers.exit();
    }
  }

  @Override
  public long diskBytes() {
    return folder.bytes();
  }

  @Override
  public void close() {
    if (readers.shut()) {
      markOrderlyEnd();
      closeFiles();
      folder.close();
    }
  }

  /** Without a sync on every write, an orderly end is the time to say what is there for good. */
  private void markOrderlyEnd() {
    if (options.durability() == Durability.OS && keptRevision > acked.revision()) {
      try {
        files.db().syncWal();
        acked.acknowledge(keptRevision);
      } catch (RocksDBException e) {
        LOG.log(System.Logger.Level.WARNING, "the last writes may not be on the disk", e);
      }
    }
  }

  private void closeFiles() {
    batch.close();
    writing.close();
    files.close();
    acked.close();
  }
}
