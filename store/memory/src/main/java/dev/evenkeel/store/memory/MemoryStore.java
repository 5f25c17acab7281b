package dev.evenkeel.store.memory;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.engine.mvcc.MvccOptions;
import dev.evenkeel.store.engine.mvcc.MvccStore;
import dev.evenkeel.store.engine.mvcc.SnapshotFile;
import java.nio.file.Path;

/** Opens stores that live in memory alone. */
public final class MemoryStore {

  private MemoryStore() {}

  /** An empty store with default settings. */
  public static Store open(Env env) {
    return open(env, MvccOptions.DEFAULTS);
  }

  /** An empty store. Values are in memory anyway, so the cache setting has no effect. */
  public static Store open(Env env, MvccOptions options) {
    return new MvccStore(env, new MemoryJournal(), options.withValueCacheBytesMax(Long.MAX_VALUE));
  }

  /** A store with the state of a snapshot, at its revision, without what was before. */
  public static Store restore(Env env, MvccOptions options, Path snapshot) {
    long revision = SnapshotFile.verify(snapshot).revision();
    var journal = new MemoryJournal();
    SnapshotFile.read(snapshot, journal::load);
    journal.startAt(revision);
    return new MvccStore(env, journal, options.withValueCacheBytesMax(Long.MAX_VALUE));
  }
}
