package dev.evenkeel.store.etcd;

import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.etcd.client.EtcdOptions;
import dev.evenkeel.store.testkit.StoreFixture;
import dev.evenkeel.store.testkit.outside.EtcdProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Stores in one shared etcd, each fixture's below a prefix of its own. */
final class EtcdFixture implements StoreFixture {

  private static final AtomicInteger FIXTURES = new AtomicInteger();

  private final EtcdProcess shared;
  private final List<EtcdProcess> restored = new ArrayList<>();
  private final int number = FIXTURES.incrementAndGet();
  private int opened;
  private String prefix = "";

  EtcdFixture(EtcdProcess shared) {
    this.shared = shared;
  }

  static EtcdStore open(String prefix, EtcdProcess etcd) {
    return EtcdStore.open(
        new RealEnv(), EtcdOptions.of(List.of(etcd.endpoint())).withPrefix(prefix));
  }

  @Override
  public Store open() {
    prefix = "/fixture-" + number + "-" + ++opened;
    return open(prefix, shared);
  }

  @Override
  public Store restore(Path snapshotFile) {
    var etcd =
        EtcdProcess.startFromSnapshot(
            snapshotFile, dev.evenkeel.store.testkit.outside.EtcdOptions.DEFAULTS.withoutSync());
    restored.add(etcd);
    return open(prefix, etcd);
  }

  @Override
  public Store reopen(Store closed) {
    return open(prefix, shared);
  }

  @Override
  public boolean durable() {
    return true;
  }

  @Override
  public boolean startsAtFirstRevision() {
    return false;
  }

  @Override
  public boolean restoreForgetsHistory() {
    return false;
  }

  @Override
  public void close() {
    restored.forEach(EtcdProcess::close);
  }
}
