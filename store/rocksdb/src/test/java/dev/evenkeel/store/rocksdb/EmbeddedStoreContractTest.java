package dev.evenkeel.store.rocksdb;

import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.testkit.StoreContract;
import dev.evenkeel.store.testkit.StoreFixture;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.Objects;

/** The embedded engine, judged as every engine is. */
final class EmbeddedStoreContractTest extends StoreContract {

  @Override
  protected StoreFixture newFixture() {
    return new Folders();
  }

  private static final class Folders implements StoreFixture {

    private final TemporaryFolder parent = new TemporaryFolder();
    private final IdentityHashMap<Store, Path> opened = new IdentityHashMap<>();

    @Override
    public Store open() {
      return open(parent.fresh());
    }

    private Store open(Path folder) {
      Store store = EmbeddedStore.open(new RealEnv(), EmbeddedOptions.in(folder));
      opened.put(store, folder);
      return store;
    }

    @Override
    public Store restore(Path snapshotFile) {
      Path folder = parent.fresh();
      var _ = EmbeddedStore.restore(snapshotFile, EmbeddedOptions.in(folder));
      return open(folder);
    }

    @Override
    public Store reopen(Store closed) {
      return open(Objects.requireNonNull(opened.get(closed)));
    }

    @Override
    public boolean durable() {
      return true;
    }

    @Override
    public void close() {
      parent.close();
    }
  }
}
