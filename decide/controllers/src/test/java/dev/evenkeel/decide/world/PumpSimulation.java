package dev.evenkeel.decide.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.queue.Priority;
import dev.evenkeel.decide.queue.QueueLimits;
import dev.evenkeel.decide.queue.Result;
import dev.evenkeel.decide.queue.Wake;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.decide.run.Pump;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.env.SimulatedEnv;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Keys that are dealt with at once. */
final class PumpSimulation {

  private static final int KEYS = 50_000;

  @Test
  void manyKeysThatNeedNothing_doNotFillTheStack() {
    var env = new SimulatedEnv(1);
    Loop loop = env.loop("pump");
    var queue = new WorkQueue("pump", env.clock(), env.random(), QueueLimits.DEFAULTS);
    var done = new AtomicInteger();
    var itself = new AtomicReference<Pump>();
    Pump.Worker worker =
        (item, _) -> {
          queue.done(item, new Result.Settled());
          done.incrementAndGet();
          itself.get().done();
        };
    itself.set(new Pump(queue, loop, 4, Leadership.ALONE, _ -> true, worker));
    for (int i = 0; i < KEYS; i++) {
      queue.add(new Key("", "k" + i), Priority.NORMAL, new Wake(Wake.Kind.OBJECT, ""));
    }
    loop.execute(() -> itself.get().start());
    env.runFor(Duration.ofSeconds(1));
    assertThat(done).hasValue(KEYS);
    loop.close();
  }
}
