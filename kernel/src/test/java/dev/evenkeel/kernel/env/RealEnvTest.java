package dev.evenkeel.kernel.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bounded everywhere: what hangs fails. */
@Timeout(60)
class RealEnvTest {

  private static final int ROUNDS = Integer.getInteger("evenkeel.loop.rounds", 2_000);

  private final Loop loop = new RealEnv().loop("test-loop");

  @AfterEach
  void closeLoop() {
    loop.close();
  }

  @Test
  void execute_runsTasksInTheOrderHandedIn() {
    var ran = new ArrayList<Integer>();
    for (int i = 0; i < 10_000; i++) {
      int number = i;
      loop.execute(() -> ran.add(number));
    }
    loop.close();
    assertThat(ran).isEqualTo(IntStream.range(0, 10_000).boxed().toList());
  }

  private static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new LinkageError("it cannot be printed");
    }
  }

  @Test
  void failureThatCannotEvenBePrinted_doesNotEndTheLoop() {
    var ran = new AtomicBoolean();
    loop.execute(
        () -> {
          throw new Unprintable();
        });
    loop.execute(() -> ran.set(true));
    loop.close();
    assertThat(ran).isTrue();
  }

  @Test
  void execute_runsTasksOfManyThreadsOneAtATime() throws InterruptedException {
    var inside = new AtomicInteger();
    var overlapped = new AtomicBoolean();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int j = 0; j < 1000; j++) {
                      loop.execute(
                          () -> {
                            if (inside.incrementAndGet() != 1) {
                              overlapped.set(true);
                            }
                            Thread.onSpinWait();
                            inside.decrementAndGet();
                          });
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    loop.close();
    assertThat(overlapped).isFalse();
  }

  @Test
  void execute_goesOnAfterATaskThatThrows() throws Exception {
    var ran = new CompletableFuture<String>();
    loop.execute(
        () -> {
          throw new AssertionError("thrown on purpose by a test");
        });
    loop.execute(() -> ran.complete("ran"));
    assertThat(ran.get(30, TimeUnit.SECONDS)).isEqualTo("ran");
  }

  @Test
  void execute_isRefusedOnceClosed() {
    loop.close();
    assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    assertThatThrownBy(() -> loop.runLater(Duration.ZERO, () -> {}))
        .isInstanceOf(RejectedExecutionException.class);
  }

  /**
   * Whoever was not refused waits for an effect: each accepted task runs, however close to the end.
   */
  @Test
  void execute_whileClosingRunsOrIsRefusedNeverLost() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      Loop closing = new RealEnv().loop("closing");
      var ran = new AtomicInteger();
      var accepted = new AtomicInteger();
      var started = new CountDownLatch(1);
      Thread feeder =
          Thread.ofPlatform()
              .start(
                  () -> {
                    started.countDown();
                    try {
                      while (true) {
                        closing.execute(ran::incrementAndGet);
                        accepted.incrementAndGet();
                      }
                    } catch (RejectedExecutionException refused) {
                      // the end of this round
                    }
                  });
      started.await();
      closing.close();
      feeder.join();
      assertThat(ran.get()).as("round %d", round).isEqualTo(accepted.get());
    }
  }

  @Test
  void runLater_runsInOrderOfTime() throws Exception {
    var ran = new ArrayList<String>();
    var done = new CountDownLatch(3);
    loop.execute(
        () -> {
          for (int delayMillis : List.of(40, 20, 30)) {
            loop.runLater(
                Duration.ofMillis(delayMillis),
                () -> {
                  ran.add("after " + delayMillis);
                  done.countDown();
                });
          }
        });
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    loop.close();
    assertThat(ran).containsExactly("after 20", "after 30", "after 40");
  }

  @Test
  void runLater_neverRunsBeforeItsTime() throws Exception {
    var early = new CompletableFuture<Boolean>();
    Clock clock = new RealEnv().clock();
    long startNanos = clock.nanoTime();
    loop.runLater(
        Duration.ofMillis(20),
        () -> early.complete(clock.nanoTime() - startNanos < Duration.ofMillis(20).toNanos()));
    assertThat(early.get(30, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void runLater_acceptsDelaysBeyondAllTime() {
    assertThat(loop.runLater(ChronoUnit.FOREVER.getDuration(), () -> {})).isNotNull();
  }

  @Test
  void cancel_keepsATaskFromRunning() {
    var ran = new ArrayList<String>();
    var done = new CountDownLatch(1);
    loop.execute(
        () -> {
          Loop.Timer timer = loop.runLater(Duration.ZERO, () -> ran.add("cancelled"));
          loop.runLater(Duration.ZERO, () -> ran.add("kept"));
          loop.runLater(Duration.ZERO, done::countDown);
          timer.cancel();
          timer.cancel();
        });
    await(done);
    assertThat(ran).containsExactly("kept");
  }

  @Test
  void cancel_leavesNoMoreTimersBehindThanThereAreOthers() throws Exception {
    var kept = new CompletableFuture<Integer>();
    loop.runLater(Duration.ofHours(1), () -> {});
    for (int i = 0; i < 10_000; i++) {
      loop.runLater(Duration.ofHours(1), () -> {}).cancel();
    }
    loop.execute(() -> kept.complete(((ThreadLoop) loop).timers()));
    assertThat(kept.get(30, TimeUnit.SECONDS)).isLessThanOrEqualTo(2 * ThreadLoop.CANCELLED_MIN);
  }

  @Test
  void execute_wakesALoopThatSleeps_alsoBesideTimers() throws Exception {
    loop.runLater(Duration.ofHours(1), () -> {});
    for (int i = 0; i < 1_000; i++) {
      var ran = new CompletableFuture<String>();
      loop.execute(() -> ran.complete("ran"));
      assertThat(ran.get(30, TimeUnit.SECONDS)).isEqualTo("ran");
    }
  }

  @Test
  void runLater_isNotHeldUpByTasksThatNeverEnd() throws Exception {
    var ran = new CompletableFuture<String>();
    var again =
        new Runnable() {
          @Override
          public void run() {
            if (!ran.isDone()) {
              loop.execute(this);
            }
          }
        };
    loop.execute(again);
    loop.runLater(Duration.ofMillis(5), () -> ran.complete("ran"));
    assertThat(ran.get(30, TimeUnit.SECONDS)).isEqualTo("ran");
  }

  @Test
  void loop_isWokenThoughItWasInterrupted() throws Exception {
    loop.execute(() -> Thread.currentThread().interrupt());
    var ran = new CompletableFuture<String>();
    loop.runLater(Duration.ofMillis(5), () -> ran.complete("ran"));
    assertThat(ran.get(30, TimeUnit.SECONDS)).isEqualTo("ran");
  }

  @Test
  void close_runsWhatWasHandedInAndDropsWhatIsLater() throws InterruptedException {
    var ran = new ArrayList<String>();
    var gate = new CountDownLatch(1);
    loop.execute(() -> await(gate));
    loop.execute(() -> ran.add("handed in"));
    loop.runLater(Duration.ofMinutes(10), () -> ran.add("later"));
    Thread closer = Thread.ofPlatform().start(loop::close);
    gate.countDown();
    closer.join();
    assertThat(ran).containsExactly("handed in");
  }

  @Test
  void close_inItsOwnTaskReturnsAtOnce() throws Exception {
    var returned = new CompletableFuture<Boolean>();
    loop.execute(
        () -> {
          loop.close();
          returned.complete(true);
        });
    assertThat(returned.get(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void close_keepsTheInterruptOfItsCaller() throws InterruptedException {
    var gate = new CountDownLatch(1);
    var kept = new AtomicBoolean();
    loop.execute(() -> await(gate));
    Thread closer =
        Thread.ofPlatform()
            .start(
                () -> {
                  Thread.currentThread().interrupt();
                  loop.close();
                  kept.set(Thread.currentThread().isInterrupted());
                });
    gate.countDown();
    closer.join();
    assertThat(kept).isTrue();
  }

  @Test
  void inLoop_isTrueForItsOwnTasksOnly() throws Exception {
    Loop other = new RealEnv().loop("other-loop");
    var inside = new CompletableFuture<Boolean>();
    var elsewhere = new CompletableFuture<Boolean>();
    loop.execute(() -> inside.complete(loop.inLoop()));
    other.execute(() -> elsewhere.complete(loop.inLoop()));
    assertThat(inside.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(elsewhere.get(30, TimeUnit.SECONDS)).isFalse();
    assertThat(loop.inLoop()).isFalse();
    other.close();
  }

  @Test
  void loop_namesItsThread() throws Exception {
    var name = new CompletableFuture<String>();
    loop.execute(() -> name.complete(Thread.currentThread().getName()));
    assertThat(name.get(30, TimeUnit.SECONDS)).isEqualTo("test-loop").isEqualTo(loop.name());
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
