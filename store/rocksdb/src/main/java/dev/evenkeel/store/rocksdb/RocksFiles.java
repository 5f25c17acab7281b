package dev.evenkeel.store.rocksdb;

import dev.evenkeel.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksObject;
import org.rocksdb.Status;
import org.rocksdb.WALRecoveryMode;

/**
 * An open RocksDB with the journal's column families, its settings, and what its failures mean.
 *
 * <p>Recovery tolerates a log that ends in the middle of a record, which every crash may leave, and
 * nothing else: a checksum that does not match is damage. What the tolerance might hide, the acked
 * mark shows.
 */
final class RocksFiles implements AutoCloseable {

  private static final long LOG_BUFFER_BYTES = 8L << 20;
  private static final long INDEX_BUFFER_BYTES = 4L << 20;
  private static final long WAL_BYTES_MAX = 256L << 20;

  private final DataFolder folder;
  private final List<RocksObject> owned = new ArrayList<>();
  private final RocksDB db;
  private final ColumnFamilyHandle log;
  private final ColumnFamilyHandle index;

  private RocksFiles(DataFolder folder, long blockCacheBytesMax) throws RocksDBException {
    this.folder = folder;
    Cache cache = own(new LRUCache(blockCacheBytesMax));
    DBOptions options =
        own(new DBOptions())
            .setCreateIfMissing(true)
            .setCreateMissingColumnFamilies(true)
            .setParanoidChecks(true)
            .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
            .setMaxTotalWalSize(WAL_BYTES_MAX)
            .setMaxBackgroundJobs(2)
            .setKeepLogFileNum(2)
            .setInfoLogLevel(InfoLogLevel.WARN_LEVEL);
    List<ColumnFamilyDescriptor> families =
        List.of(
            new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family(cache, 1L << 20)),
            new ColumnFamilyDescriptor(name("log"), family(cache, LOG_BUFFER_BYTES)),
            new ColumnFamilyDescriptor(name("index"), family(cache, INDEX_BUFFER_BYTES)));
    var handles = new ArrayList<ColumnFamilyHandle>();
    boolean opened = false;
    try {
      this.db = RocksDB.open(options, folder.rocks().toString(), families, handles);
      opened = true;
    } finally {
      if (!opened) {
        closeOwned();
      }
    }
    this.log = handles.get(1);
    this.index = handles.get(2);
  }

  static RocksFiles open(DataFolder folder, long blockCacheBytesMax) {
    RocksDB.loadLibrary();
    try {
      return new RocksFiles(folder, blockCacheBytesMax);
    } catch (RocksDBException e) {
      throw translate(folder, "cannot be opened", e);
    }
  }

  private static byte[] name(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private ColumnFamilyOptions family(Cache cache, long writeBufferBytes) {
    return own(new ColumnFamilyOptions())
        .setWriteBufferSize(writeBufferBytes)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache).setFormatVersion(5));
  }

  private <T extends RocksObject> T own(T object) {
    owned.add(object);
    return object;
  }

  RocksDB db() {
    return db;
  }

  ColumnFamilyHandle log() {
    return log;
  }

  ColumnFamilyHandle index() {
    return index;
  }

  /** What the failure means to whoever uses the folder. */
  StoreException translate(String what, RocksDBException e) {
    return translate(folder, what, e);
  }

  private static StoreException translate(DataFolder folder, String what, RocksDBException e) {
    Status status = e.getStatus();
    if (status != null) {
      if (status.getSubCode() == Status.SubCode.NoSpace) {
        return new StoreException.OutOfSpace(
            "the disk of the data folder "
                + folder.path()
                + " is full. Free some space and start again.",
            e);
      }
      if (status.getCode() == Status.Code.Corruption) {
        return folder.damaged(String.valueOf(e.getMessage()), e);
      }
    }
    return folder.refusal(what + ": " + e.getMessage(), e);
  }

  @Override
  public void close() {
    log.close();
    index.close();
    db.close();
    closeOwned();
  }

  private void closeOwned() {
    for (RocksObject object : Collections.unmodifiableList(owned).reversed()) {
      object.close();
    }
  }
}
