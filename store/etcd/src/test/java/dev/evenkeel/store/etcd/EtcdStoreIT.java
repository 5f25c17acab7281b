package dev.evenkeel.store.etcd;

import dev.evenkeel.store.testkit.StoreContract;
import dev.evenkeel.store.testkit.StoreFixture;
import dev.evenkeel.store.testkit.outside.EtcdOptions;
import dev.evenkeel.store.testkit.outside.EtcdProcess;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The store in etcd, judged by the suite. */
@NeedsProgram("etcd")
@NeedsProgram("etcdctl")
class EtcdStoreIT extends StoreContract {

  @SuppressWarnings("NullAway.Init") // JUnit starts it before the tests
  private static EtcdProcess etcd;

  @BeforeAll
  static void startEtcd() {
    etcd = EtcdProcess.start(EtcdOptions.DEFAULTS.withoutSync());
  }

  @AfterAll
  static void stopEtcd() {
    etcd.close();
  }

  @Override
  protected StoreFixture newFixture() {
    return new EtcdFixture(etcd);
  }
}
