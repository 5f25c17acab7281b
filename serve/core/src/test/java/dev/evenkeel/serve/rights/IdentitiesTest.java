package dev.evenkeel.serve.rights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.serve.cache.CacheLimits;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.engine.mvcc.MvccOptions;
import dev.evenkeel.store.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept for those who ask. */
class IdentitiesTest {

  private final SimulatedEnv env = new SimulatedEnv(1);

  private KindCache cache(Store store, Loop loop, String kind) {
    return new KindCache(
        env,
        loop,
        store,
        Gvk.of("rbac.authorization.k8s.io/v1", kind),
        Bytes.utf8("/" + kind + "/"),
        List.of(),
        CacheLimits.DEFAULTS,
        _ -> {});
  }

  @Test
  void whatIsKept_isBounded_howeverManyNamesAreMadeUp() {
    try (Store store = MemoryStore.open(env, MvccOptions.DEFAULTS)) {
      Loop loop = env.loop("watch-cache");
      var roles =
          new Roles(
              new RoleIndex(
                  cache(store, loop, "Role"),
                  cache(store, loop, "ClusterRole"),
                  cache(store, loop, "RoleBinding"),
                  cache(store, loop, "ClusterRoleBinding")));
      Holdings first = roles.holdings("u0", List.of());
      assertThat(roles.holdings("u0", List.of())).isSameAs(first);
      for (int i = 0; i < 3 * Roles.IDENTITIES_MAX; i++) {
        var _ = roles.holdings("u" + i, List.of());
        assertThat(roles.identities()).isLessThanOrEqualTo(Roles.IDENTITIES_MAX);
      }
      assertThat(roles.holdings("u0", List.of("g"))).isNotSameAs(first);
    }
  }
}
