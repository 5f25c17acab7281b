package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StoreProbeTest {

  private final SimulatedEnv env = new SimulatedEnv(1);

  @Test
  void storeThatFails_isDown() {
    Store store = MemoryStore.open(env);
    var probe = new StoreProbe(store, env.clock());
    assertThat(probe.answers()).isTrue();
    store.close();
    var _ = probe.answers(); // may still tell of the question before
    assertThat(probe.answers()).isFalse();
  }

  @Test
  void storeThatIsSilentForLong_isDownUntilItAnswers() {
    var answer = new CompletableFuture<Long>();
    Store silent =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, _, _) -> answer);
    var probe = new StoreProbe(silent, env.clock());
    assertThat(probe.answers()).isTrue();
    env.runFor(Duration.ofSeconds(3));
    assertThat(probe.answers()).isFalse();
    answer.complete(1L);
    assertThat(probe.answers()).isTrue();
  }
}
