package dev.evenkeel.store.memory;

import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.engine.mvcc.MvccOptions;
import dev.evenkeel.store.testkit.StoreContract;
import dev.evenkeel.store.testkit.StoreFixture;
import java.nio.file.Path;

/** The store in memory, on real threads, judged by the suite. */
class MemoryStoreTest extends StoreContract {

  @Override
  protected StoreFixture newFixture() {
    return new StoreFixture() {
      @Override
      public Store open() {
        return MemoryStore.open(new RealEnv());
      }

      @Override
      public Store restore(Path snapshotFile) {
        return MemoryStore.restore(new RealEnv(), MvccOptions.DEFAULTS, snapshotFile);
      }

      @Override
      public boolean durable() {
        return false;
      }

      @Override
      public void close() {}
    };
  }
}
