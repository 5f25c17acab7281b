package dev.evenkeel.store.rocksdb;

import dev.evenkeel.store.engine.mvcc.MvccOptions;
import java.nio.file.Path;

/**
 * The embedded engine's settings.
 *
 * @param folder where the data is; made if it is not there
 * @param acceptLoss whether to open a folder that has lost acknowledged writes, and go on without
 *     them
 * @param freeBytesMin how much the disk must have left for a write to be taken; it keeps room for
 *     RocksDB's own work, so that a full disk is a refusal and not an accident
 * @param blockCacheBytesMax RocksDB's cache of blocks, outside the heap
 */
public record EmbeddedOptions(
    Path folder,
    Durability durability,
    boolean acceptLoss,
    long freeBytesMin,
    long blockCacheBytesMax,
    MvccOptions mvcc) {

  public static EmbeddedOptions in(Path folder) {
    return new EmbeddedOptions(
        folder, Durability.SYNC, false, 128L << 20, 16L << 20, MvccOptions.DEFAULTS);
  }

  public EmbeddedOptions withDurability(Durability changed) {
    return new EmbeddedOptions(folder, changed, acceptLoss, freeBytesMin, blockCacheBytesMax, mvcc);
  }

  public EmbeddedOptions acceptingLoss() {
    return new EmbeddedOptions(folder, durability, true, freeBytesMin, blockCacheBytesMax, mvcc);
  }

  public EmbeddedOptions withFreeBytesMin(long changed) {
    return new EmbeddedOptions(folder, durability, acceptLoss, changed, blockCacheBytesMax, mvcc);
  }

  public EmbeddedOptions withBlockCacheBytesMax(long changed) {
    return new EmbeddedOptions(folder, durability, acceptLoss, freeBytesMin, changed, mvcc);
  }

  public EmbeddedOptions withMvcc(MvccOptions changed) {
    return new EmbeddedOptions(
        folder, durability, acceptLoss, freeBytesMin, blockCacheBytesMax, changed);
  }
}
