package dev.evenkeel.store.rocksdb;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.store.SnapshotInfo;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.engine.mvcc.MvccStore;
import dev.evenkeel.store.engine.mvcc.SnapshotFile;
import java.nio.file.Path;

/** Opens stores in folders. */
public final class EmbeddedStore {

  private EmbeddedStore() {}

  /**
   * Opens the folder's store, or makes a new one.
   *
   * @throws dev.evenkeel.store.StoreException.DataFolder if the folder is in use, of a newer
   *     format, damaged or not accessible; nothing of it stays open then
   */
  public static Store open(Env env, EmbeddedOptions options) {
    DataFolder folder = DataFolder.open(options.folder());
    RocksJournal journal = null;
    boolean opened = false;
    try {
      journal = RocksJournal.open(folder, options);
      var store = new MvccStore(env, journal, options.mvcc());
      opened = true;
      return store;
    } finally {
      if (!opened) {
        if (journal != null) {
          journal.close();
        }
        folder.close();
      }
    }
  }

  /**
   * Makes the folder's store from a snapshot: its state at its revision, without what was before.
   * The folder must be empty or not there. If it does not come to its end, the folder is refused
   * from then on, until it is deleted.
   */
  public static SnapshotInfo restore(Path snapshot, EmbeddedOptions options) {
    SnapshotInfo info = SnapshotFile.verify(snapshot);
    try (DataFolder folder = DataFolder.create(options.folder())) {
      RocksJournal.load(folder, options, snapshot, info.revision());
      folder.complete();
    }
    return info;
  }
}
