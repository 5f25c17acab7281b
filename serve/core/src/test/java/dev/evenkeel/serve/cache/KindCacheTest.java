package dev.evenkeel.serve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.engine.mvcc.MvccOptions;
import dev.evenkeel.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KindCacheTest {

  @Test
  void everyFollower_isCalledAfterAChange() {
    var env = new SimulatedEnv(1);
    try (Store store = MemoryStore.open(env, MvccOptions.DEFAULTS)) {
      var cache =
          new KindCache(
              env,
              env.loop("watch-cache"),
              store,
              Gvk.of("v1", "ConfigMap"),
              Bytes.utf8("/configmaps/"),
              List.of(),
              CacheLimits.DEFAULTS,
              _ -> {});
      var _ = cache.ready();
      env.runFor(Duration.ofMillis(10));
      var first = new AtomicInteger();
      var second = new AtomicInteger();
      cache.follow(first::incrementAndGet);
      cache.follow(second::incrementAndGet);
      var _ =
          store.commit(
              Txn.put(
                  Bytes.utf8("/configmaps/default/a"),
                  Bytes.utf8("{\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"}}")));
      env.runFor(Duration.ofMillis(10));
      assertThat(first).hasPositiveValue();
      assertThat(second).hasValue(first.get());
      cache.close();
    }
  }
}
