package dev.evenkeel.prove.bench.store;

import dev.evenkeel.store.Store;
import dev.evenkeel.store.etcd.EtcdStore;
import dev.evenkeel.store.etcd.client.EtcdOptions;
import dev.evenkeel.store.testkit.outside.EtcdProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The store in one local etcd, with etcd's own defaults but for room enough. */
final class Etcd implements Engine {

  private final EtcdProcess process;

  Etcd(Path folder) {
    this.process =
        EtcdProcess.start(
            dev.evenkeel.store.testkit.outside.EtcdOptions.DEFAULTS
                .quotaBackendBytes(8L << 30)
                .flag("--data-dir=" + folder.resolve("data")));
  }

  @Override
  public Store open() {
    return EtcdStore.open(ENV, EtcdOptions.of(List.of(process.endpoint())));
  }

  @Override
  public boolean durable() {
    return true;
  }

  @Override
  public boolean inHeap() {
    return false;
  }

  @Override
  public Duration cpu() {
    return Engine.super.cpu().plus(process.cpu());
  }

  @Override
  public void close() {
    process.close();
  }
}
