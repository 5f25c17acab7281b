package dev.evenkeel.operate.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.RealEnv;
import org.junit.jupiter.api.Test;

class ShadowTest {

  private static final String POD =
      """
      {"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"a-"},
       "spec":{"containers":[{"name":"main","image":"i"}]}}
      """;

  @Test
  void schedule_givesAllPodsNodes_andEndsItsThreadsWithIt() throws Exception {
    long before = schedulerThreads();
    try (var shadow = Shadow.open(new RealEnv())) {
      for (int i = 0; i < 2; i++) {
        shadow.schedule(POD, 100);
        await(shadow);
        assertThat(shadow.isDone()).as("all have nodes after ten seconds").isTrue();
      }
      assertThat(schedulerThreads()).isGreaterThan(before);
    }
    for (int i = 0; i < 100 && schedulerThreads() > before; i++) {
      Thread.sleep(50);
    }
    assertThat(schedulerThreads()).isLessThanOrEqualTo(before);
  }

  private static void await(Shadow shadow) throws InterruptedException {
    for (int i = 0; i < 1_000 && !shadow.isDone(); i++) {
      Thread.sleep(10);
    }
  }

  private static long schedulerThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("scheduler"))
        .count();
  }
}
