package dev.evenkeel.operate.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.SimulatedEnv;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeapKeeperTest {

  private static final long MB = 1L << 20;

  /** A heap in which so much is alive, and what dies stays until it is collected. */
  private static final class Heap implements HeapKeeper.Old {
    private final long alive = 60 * MB;
    private long used = alive;
    private long most;
    private int collections;

    @Override
    public long usedBytes() {
      return used;
    }

    @Override
    public void collect() {
      collections++;
      used = alive;
    }

    private void grow(long bytes) {
      used += bytes;
      most = Math.max(most, used);
    }
  }

  private final SimulatedEnv env = new SimulatedEnv(1);
  private final Heap heap = new Heap();

  @Test
  void serverThatIsWrittenTo_staysNearWhatIsAlive() {
    try (var _ = HeapKeeper.start(env, () -> 40 * MB, () -> heap)) {
      for (int i = 0; i < 1_200; i++) {
        env.runFor(Duration.ofMillis(500));
        heap.grow(4 * MB);
      }
    }
    assertThat(heap.most).isLessThan(100 * MB);
    assertThat(heap.collections).isBetween(1, 300);
  }

  @Test
  void start_isNotHeldUp() {
    heap.grow(400 * MB);
    try (var _ = HeapKeeper.start(env, () -> 0, () -> heap)) {
      env.runFor(Duration.ofMillis(2_900));
      assertThat(heap.collections).as("whoever waited for the server is served first").isZero();
      env.runFor(Duration.ofMillis(200));
      assertThat(heap.collections).isEqualTo(1);
    }
  }

  @Test
  void heapOfAnotherSort_isLeftAlone() {
    try (var _ = HeapKeeper.start(env, () -> 0, () -> null)) {
      env.runFor(Duration.ofMinutes(1));
    }
    assertThat(heap.collections).isZero();
  }
}
