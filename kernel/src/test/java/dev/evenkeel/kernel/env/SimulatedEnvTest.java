package dev.evenkeel.kernel.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SimulatedEnvTest {

  private final SimulatedEnv env = new SimulatedEnv(1);
  private final List<String> ran = new ArrayList<>();

  @Test
  void sameSeed_takesTheSameWay() {
    for (long seed = 0; seed < 50; seed++) {
      assertThat(run(seed)).isEqualTo(run(seed));
    }
  }

  @Test
  void differentSeeds_takeDifferentWays() {
    var orders = new HashSet<List<String>>();
    var hashes = new HashSet<Long>();
    for (long seed = 0; seed < 100; seed++) {
      Trace trace = run(seed);
      orders.add(trace.tasks);
      hashes.add(trace.hash);
    }
    assertThat(orders).hasSizeGreaterThan(90);
    assertThat(hashes).hasSameSizeAs(orders);
  }

  /** Two loops of two tasks have six interleavings; enough seeds find them all. */
  @Test
  void seeds_reachEveryInterleaving() {
    var interleavings = new HashSet<List<String>>();
    for (long seed = 0; seed < 200; seed++) {
      var world = new SimulatedEnv(seed);
      var order = new ArrayList<String>();
      for (String name : List.of("a", "b")) {
        Loop loop = world.loop(name);
        loop.execute(() -> order.add(name + 1));
        loop.execute(() -> order.add(name + 2));
      }
      world.runUntilIdle(4);
      interleavings.add(order);
    }
    assertThat(interleavings).hasSize(6);
  }

  @Test
  void traceHash_tellsLoopsOfOneNameApart() {
    var hashes = new HashSet<Long>();
    for (long seed = 0; seed < 20; seed++) {
      var world = new SimulatedEnv(seed);
      Loop first = world.loop("same");
      Loop second = world.loop("same");
      first.execute(() -> {});
      second.execute(() -> {});
      world.runUntilIdle(2);
      hashes.add(world.traceHash());
    }
    assertThat(hashes).hasSize(2);
  }

  @Test
  void time_movesOnlyToTheNextTaskAndNeverByItself() {
    Loop loop = env.loop("loop");
    loop.runLater(Duration.ofDays(365), () -> ran.add(env.clock().now().toString()));
    assertThat(env.clock().now()).isEqualTo(SimulatedEnv.EPOCH);
    env.runUntilIdle(1);
    assertThat(ran).containsExactly("2027-01-01T00:00:00Z");
    assertThat(env.clock().nanoTime()).isEqualTo(Duration.ofDays(365).toNanos());
  }

  @Test
  void runFor_runsWhatIsDueAndLeavesTheTimeAtItsEnd() {
    Loop loop = env.loop("loop");
    loop.runLater(Duration.ofSeconds(1), () -> ran.add("1 s"));
    loop.runLater(Duration.ofSeconds(3), () -> ran.add("3 s"));
    env.runFor(Duration.ofSeconds(2));
    assertThat(ran).containsExactly("1 s");
    assertThat(env.clock().now()).isEqualTo(SimulatedEnv.EPOCH.plusSeconds(2));
    env.runFor(Duration.ofSeconds(1));
    assertThat(ran).containsExactly("1 s", "3 s");
  }

  @Test
  void runDue_runsWhatTasksHandInAndLeavesTheTime() {
    Loop loop = env.loop("loop");
    loop.execute(() -> loop.execute(() -> ran.add("second")));
    loop.runLater(Duration.ofNanos(1), () -> ran.add("later"));
    env.runDue();
    assertThat(ran).containsExactly("second");
    assertThat(env.clock().nanoTime()).isZero();
  }

  @Test
  void loop_keepsItsOrderWhateverTheSeed() {
    for (long seed = 0; seed < 50; seed++) {
      List<String> tasks = run(seed).tasks;
      for (String name : List.of("a", "b", "c")) {
        assertThat(tasks.stream().filter(task -> task.startsWith(name)))
            .containsExactly(name + "1", name + "2", name + "3", name + "4");
      }
    }
  }

  @Test
  void runLater_ordersByTimeThenByHandingIn() {
    Loop loop = env.loop("loop");
    loop.runLater(Duration.ofMillis(2), () -> ran.add("2 ms"));
    loop.runLater(Duration.ofMillis(1), () -> ran.add("1 ms, first"));
    loop.runLater(Duration.ofMillis(1), () -> ran.add("1 ms, second"));
    loop.runLater(Duration.ofMillis(-1), () -> ran.add("past"));
    loop.execute(() -> ran.add("now"));
    env.runUntilIdle(5);
    assertThat(ran).containsExactly("past", "now", "1 ms, first", "1 ms, second", "2 ms");
  }

  @Test
  void runLater_acceptsDelaysBeyondAllTime() {
    Loop loop = env.loop("loop");
    env.runFor(Duration.ofDays(1));
    loop.runLater(Duration.ofNanos(Long.MAX_VALUE), () -> ran.add("not yet"));
    loop.runLater(ChronoUnit.FOREVER.getDuration(), () -> ran.add("never"));
    env.runFor(Duration.ofDays(36_500));
    assertThat(ran).isEmpty();
    env.runUntilIdle(2);
    loop.runLater(ChronoUnit.FOREVER.getDuration(), () -> ran.add("nor this"));
    env.runUntilIdle(1);
    assertThat(ran).containsExactly("not yet", "never", "nor this");
  }

  @Test
  void cancel_keepsATaskFromRunning() {
    Loop loop = env.loop("loop");
    Loop.Timer timer = loop.runLater(Duration.ofSeconds(1), () -> ran.add("cancelled"));
    loop.runLater(Duration.ofSeconds(1), () -> ran.add("kept"));
    timer.cancel();
    env.runUntilIdle(1);
    timer.cancel();
    assertThat(ran).containsExactly("kept");
  }

  @Test
  void runUntilIdle_stopsWhatKeepsItselfAlive() {
    Loop loop = env.loop("loop");
    loop.execute(() -> repeat(loop));
    assertThatThrownBy(() -> env.runUntilIdle(100))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("100 tasks")
        .hasMessageContaining("seed 1");
    assertThat(env.tasksRun()).isEqualTo(100);
  }

  @Test
  void runUntilIdle_allowsExactlyAsManyTasksAsItSays() {
    Loop loop = env.loop("loop");
    for (int i = 0; i < 3; i++) {
      loop.runLater(Duration.ofSeconds(i), () -> ran.add("task"));
    }
    env.runUntilIdle(3);
    assertThat(ran).hasSize(3);
  }

  @Test
  void step_failsWithWhatATaskThrows() {
    Loop loop = env.loop("loop");
    loop.execute(
        () -> {
          throw new ArithmeticException("on purpose");
        });
    loop.execute(() -> ran.add("next"));
    assertThatThrownBy(env::step).isInstanceOf(ArithmeticException.class);
    env.runUntilIdle(1);
    assertThat(ran).containsExactly("next");
  }

  @Test
  void step_isRefusedToATask() {
    Loop loop = env.loop("loop");
    loop.execute(env::step);
    assertThatThrownBy(env::step)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("must not run the world");
  }

  @Test
  void inLoop_isTrueForItsOwnTasksOnly() {
    Loop loop = env.loop("loop");
    Loop other = env.loop("other");
    loop.execute(() -> ran.add(loop.inLoop() + " " + other.inLoop()));
    env.runUntilIdle(1);
    assertThat(ran).containsExactly("true false");
    assertThat(loop.inLoop()).isFalse();
  }

  @Test
  void close_runsWhatWasHandedInAndDropsWhatIsLater() {
    Loop loop = env.loop("loop");
    loop.execute(() -> ran.add("handed in"));
    loop.runLater(Duration.ofSeconds(1), () -> ran.add("later"));
    loop.close();
    loop.close();
    assertThat(ran).containsExactly("handed in");
    assertThat(env.step()).isFalse();
    assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void close_inItsOwnTaskReturnsAtOnceAndTheRestStillRuns() {
    Loop loop = env.loop("loop");
    loop.execute(
        () -> {
          loop.close();
          ran.add("closed");
        });
    loop.execute(() -> ran.add("handed in"));
    loop.runLater(Duration.ofSeconds(1), () -> ran.add("later"));
    env.runUntilIdle(2);
    assertThat(ran).containsExactly("closed", "handed in");
  }

  @Test
  void close_inAnotherLoopsTaskReturnsWhenAllIsDone() {
    Loop loop = env.loop("loop");
    Loop other = env.loop("other");
    loop.execute(
        () -> {
          other.execute(() -> ran.add("other's, in its loop " + other.inLoop()));
          other.close();
          ran.add("closed, in loop " + loop.inLoop());
        });
    env.runUntilIdle(2);
    assertThat(ran).containsExactly("other's, in its loop true", "closed, in loop true");
  }

  @Test
  void close_ofTwoLoopsThatWaitForEachOtherFails() {
    Loop loop = env.loop("loop");
    Loop other = env.loop("other");
    loop.execute(
        () -> {
          other.execute(loop::close);
          other.close();
        });
    assertThatThrownBy(() -> env.runUntilIdle(2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("wait for ever");
  }

  @Test
  void random_followsFromTheSeed() {
    assertThat(numbers(new SimulatedEnv(7))).isEqualTo(numbers(new SimulatedEnv(7)));
    assertThat(numbers(new SimulatedEnv(7))).isNotEqualTo(numbers(new SimulatedEnv(8)));
  }

  @Test
  void random_givesEachCallerItsOwn() {
    RandomGenerator first = env.random();
    RandomGenerator second = env.random();
    assertThat(first.nextLong()).isNotEqualTo(second.nextLong());
  }

  @Test
  void foreignThread_isRefused() {
    Loop loop = env.loop("loop");
    Loop.Timer timer = loop.runLater(Duration.ofSeconds(1), () -> {});
    List<ThrowingCallable> calls =
        List.of(
            () -> env.loop("another"),
            env::random,
            env::step,
            () -> env.runFor(Duration.ZERO),
            () -> env.clock().now(),
            () -> env.clock().nanoTime(),
            () -> loop.execute(() -> {}),
            () -> loop.runLater(Duration.ZERO, () -> {}),
            loop::inLoop,
            loop::close,
            timer::cancel);
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(() -> onAnotherThread(call))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("one thread");
    }
    assertThat(env.step()).isTrue();
  }

  private static void onAnotherThread(ThrowingCallable call) throws Throwable {
    var result = new CompletableFuture<Void>();
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                call.call();
                result.complete(null);
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    try {
      result.join();
    } catch (CompletionException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private void repeat(Loop loop) {
    loop.runLater(Duration.ofSeconds(1), () -> repeat(loop));
  }

  private record Trace(List<String> tasks, long hash, long random) {}

  /** Three loops of four tasks each, with time and chance in them. */
  private static Trace run(long seed) {
    var world = new SimulatedEnv(seed);
    var tasks = new ArrayList<String>();
    RandomGenerator random = world.random();
    for (String name : List.of("a", "b", "c")) {
      Loop loop = world.loop(name);
      loop.execute(() -> tasks.add(name + "1"));
      loop.execute(() -> tasks.add(name + "2"));
      loop.runLater(
          Duration.ofMillis(10),
          () -> {
            tasks.add(name + "3");
            loop.runLater(Duration.ofMillis(random.nextInt(5)), () -> tasks.add(name + "4"));
          });
    }
    world.runUntilIdle(12);
    return new Trace(tasks, world.traceHash(), random.nextLong());
  }

  private static List<Long> numbers(SimulatedEnv world) {
    return world.random().longs(5).boxed().toList();
  }
}
