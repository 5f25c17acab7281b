package dev.evenkeel.decide.queue;

import static dev.evenkeel.decide.queue.QueueUnderTest.CHANGED;
import static dev.evenkeel.decide.queue.QueueUnderTest.SETTLED;
import static dev.evenkeel.decide.queue.QueueUnderTest.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.env.SimulatedEnv;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkQueueTest {

  private final QueueUnderTest test = new QueueUnderTest();
  private final WorkQueue queue = test.queue;

  @Test
  void add_twiceIsOneItem() {
    test.add("a/x");
    test.add("a/x");
    Item item = test.take();
    assertThat(item.key()).isEqualTo(key("a/x"));
    assertThat(item.adds()).isEqualTo(2);
    assertThat(item.wakes()).containsExactly(CHANGED);
    assertThat(queue.take()).isNull();
    assertThat(queue.figures().merged()).isEqualTo(1);
  }

  @Test
  void add_keepsDifferentReasonsUpToTheLimit() {
    for (int i = 0; i < 10; i++) {
      assertThat(queue.add(key("x"), Priority.NORMAL, new Wake(Wake.Kind.OWNED, "pod " + i % 6)))
          .isTrue();
    }
    Item item = test.take();
    assertThat(item.adds()).isEqualTo(10);
    assertThat(item.wakes())
        .extracting(Wake::text)
        .containsExactly("pod 0", "pod 1", "pod 2", "pod 3");
  }

  @Test
  void wake_longTextIsCut() {
    var wake = new Wake(Wake.Kind.RETRY, "x".repeat(5000));
    assertThat(wake.text()).hasSize(Wake.TEXT_CHARS_MAX).endsWith("…");
  }

  @Test
  void add_whileWorkedOnIsReadyAfterDone() {
    test.add("x");
    Item first = test.take();
    test.add("x");
    assertThat(queue.take()).isNull();
    assertThat(test.entry("x").again()).isTrue();
    queue.done(first, SETTLED);
    assertThat(test.take().adds()).isEqualTo(1);
  }

  @Test
  void add_whileWorkedOnCountsAsBusyTime() {
    test.add("x");
    Item first = test.take();
    test.passSeconds(1);
    test.addAfter("x", 2);
    test.passSeconds(5);
    queue.done(first, SETTLED);
    test.passSeconds(7);
    assertThat(test.take().segments())
        .isEqualTo(new Segments(seconds(7), seconds(2), 0, 0, seconds(3)));
  }

  @Test
  void addAfter_mergesToEarliestTimeAndHighestPriority() {
    test.addAfter("x", 10, Priority.HIGH);
    test.addAfter("x", 5, Priority.LOW);
    test.addAfter("x", 7, Priority.RESYNC);
    assertThat(queue.untilNext()).isEqualTo(Duration.ofSeconds(5));
    test.passSeconds(4);
    assertThat(queue.take()).isNull();
    test.passSeconds(1);
    Item item = test.take();
    assertThat(item.priority()).isEqualTo(Priority.HIGH);
    assertThat(item.adds()).isEqualTo(3);
  }

  @Test
  void addAfter_ofAReadyKeyDoesNotDelayIt() {
    test.add("x");
    test.addAfter("x", 10, Priority.HIGH);
    assertThat(test.take().priority()).isEqualTo(Priority.HIGH);
  }

  @Test
  void addAfter_ofMoreThanCanBeCountedWaits() {
    assertThat(
            queue.addAfter(key("x"), Duration.ofSeconds(Long.MAX_VALUE), Priority.NORMAL, CHANGED))
        .isTrue();
    assertThat(queue.take()).isNull();
    assertThat(queue.untilNext()).isGreaterThan(Duration.ofDays(10_000));
  }

  @Test
  void dueKeys_areReadyInTheOrderOfTheirTimes() {
    test.addAfter("late", 3);
    test.addAfter("early", 1);
    test.passSeconds(5);
    test.add("now");
    assertThat(test.takeAll()).containsExactly("early", "late", "now");
  }

  @Test
  void take_highestPriorityFirst() {
    test.add("resync", Priority.RESYNC);
    test.add("low", Priority.LOW);
    test.add("normal", Priority.NORMAL);
    test.add("high", Priority.HIGH);
    assertThat(test.takeAll()).containsExactly("high", "normal", "low", "resync");
  }

  @Test
  void add_raisesThePriorityOfAReadyKey() {
    test.add("a", Priority.NORMAL);
    test.add("b", Priority.LOW);
    test.add("b", Priority.HIGH);
    test.add("b", Priority.RESYNC);
    assertThat(test.take().key()).isEqualTo(key("b"));
  }

  @Test
  void failed_waitsTwiceAsLongEachTimeUpToTheMost() {
    test.add("x");
    var waits = new ArrayList<Long>();
    for (int attempt = 1; attempt <= 40; attempt++) {
      Item item = test.take();
      assertThat(item.attempt()).isEqualTo(attempt);
      queue.done(item, new Result.Failed("no"));
      Duration wait = Objects.requireNonNull(queue.untilNext());
      waits.add(wait.toMillis());
      assertThat(queue.take()).isNull();
      test.env.runFor(wait);
    }
    assertThat(waits).startsWith(10L, 20L, 40L, 80L).endsWith(300_000L, 300_000L);
  }

  @Test
  void failed_waitIsByChanceInItsLaterHalf() {
    var random = new SimulatedEnv(7).random();
    var waits = new ArrayList<Long>();
    for (int i = 0; i < 1000; i++) {
      waits.add(Backoff.nanos(1000, 1_000_000, 4, random));
    }
    assertThat(waits).allMatch(wait -> wait >= 4000 && wait <= 8000);
    assertThat(waits).anyMatch(wait -> wait < 4400).anyMatch(wait -> wait > 7600);
  }

  @Test
  void failed_isVisible() {
    test.add("x", Priority.HIGH);
    test.fail("the disk is full");
    Entry entry = test.entry("x");
    assertThat(entry.state()).isEqualTo(Entry.State.BACKOFF);
    assertThat(entry.attempts()).isEqualTo(1);
    assertThat(entry.priority()).isEqualTo(Priority.HIGH);
    assertThat(entry.wakes()).containsExactly(new Wake(Wake.Kind.RETRY, "the disk is full"));
    assertThat(entry.nextTime()).isEqualTo(SimulatedEnv.EPOCH.plusMillis(10));
    test.passMillis(10);
    assertThat(test.entry("x").state()).isEqualTo(Entry.State.READY);
    test.passMillis(5);
    assertThat(test.take().segments()).isEqualTo(new Segments(5_000_000, 0, 10_000_000, 0, 0));
  }

  @Test
  void add_duringBackoffIsReadyAndRemembersTheFailures() {
    test.add("x");
    test.fail("no");
    test.add("x");
    Item item = test.take();
    assertThat(item.attempt()).isEqualTo(2);
    assertThat(item.wakes()).containsExactly(new Wake(Wake.Kind.RETRY, "no"), CHANGED);
  }

  @Test
  void settled_forgetsTheFailures() {
    test.add("x");
    test.fail("no");
    test.passSeconds(1);
    queue.done(test.take(), SETTLED);
    test.add("x");
    assertThat(test.take().attempt()).isEqualTo(1);
  }

  @Test
  void again_comesBackAtItsTime() {
    test.add("x", Priority.LOW);
    test.fail("no");
    test.passSeconds(1);
    queue.done(test.take(), new Result.Again(Duration.ofSeconds(30), "certificate expires"));
    assertThat(test.entry("x").state()).isEqualTo(Entry.State.DELAYED);
    assertThat(queue.untilNext()).isEqualTo(Duration.ofSeconds(30));
    test.passSeconds(30);
    Item item = test.take();
    assertThat(item.attempt()).isEqualTo(1);
    assertThat(item.priority()).isEqualTo(Priority.LOW);
    assertThat(item.wakes()).containsExactly(new Wake(Wake.Kind.TIMER, "certificate expires"));
  }

  @Test
  void timer_isNoReason_whereSomethingElseCameFirst() {
    test.add("x");
    var again = new Result.Again(Duration.ofSeconds(30), "certificate expires");
    queue.done(test.take(), again);
    test.add("x");
    Item early = test.take();
    assertThat(early.wakes()).containsExactly(CHANGED);
    test.add("x");
    queue.done(early, again);
    assertThat(test.take().wakes()).containsExactly(CHANGED);
  }

  @Test
  void done_twiceIsRefused() {
    test.add("x");
    Item item = test.take();
    queue.done(item, SETTLED);
    assertThatThrownBy(() -> queue.done(item, SETTLED))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("queue test: nobody works on x as item 1");
    test.add("x");
    test.take();
    assertThatThrownBy(() -> queue.done(item, SETTLED)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void onReady_isCalledOnceAfterNull() {
    var calls = new AtomicInteger();
    queue.onReady(calls::incrementAndGet);
    test.add("x");
    assertThat(calls).hasValue(0);
    Item item = test.take();
    assertThat(queue.take()).isNull();
    test.add("y");
    test.add("z");
    assertThat(calls).hasValue(1);
    assertThat(test.takeAll()).containsExactly("y", "z");
    test.add("x");
    assertThat(calls).as("x is being worked on").hasValue(1);
    queue.done(item, SETTLED);
    assertThat(calls).hasValue(2);
  }

  @Test
  void onReady_isCalledWhenTheNextTimeIsSooner() {
    var calls = new AtomicInteger();
    queue.onReady(calls::incrementAndGet);
    assertThat(queue.take()).isNull();
    test.addAfter("x", 10);
    assertThat(calls).hasValue(1);
    assertThat(queue.take()).isNull();
    test.addAfter("y", 20);
    assertThat(calls).hasValue(1);
    test.addAfter("y", 5);
    assertThat(calls).hasValue(2);
  }

  @Test
  void untilNext_isZeroWhenSomethingIsReadyAndNullWhenNothingIsThere() {
    assertThat(queue.untilNext()).isNull();
    test.add("x");
    assertThat(queue.untilNext()).isZero();
    test.take();
    assertThat(queue.untilNext()).isNull();
  }

  @Test
  void drain_letsWorkersFinishAndForgetsTheRest() {
    var calls = new AtomicInteger();
    test.add("x");
    Item item = test.take();
    test.add("x");
    test.add("y");
    test.addAfter("z", 5);
    queue.onReady(calls::incrementAndGet);
    queue.drain();
    assertThat(queue.isDrained()).isFalse();
    assertThat(queue.take()).isNull();
    assertThat(queue.untilNext()).isNull();
    assertThat(queue.add(key("n"), Priority.HIGH, CHANGED)).isFalse();
    assertThat(queue.entries(10)).extracting(Entry::key).containsExactly(key("x"));
    assertThat(calls).hasValue(0);
    queue.done(item, new Result.Failed("late"));
    assertThat(queue.isDrained()).isTrue();
    assertThat(calls).hasValue(1);
    assertThat(queue.figures().depth()).isZero();
    assertThat(queue.figures().refused()).isZero();
  }

  @Test
  void drain_ofAnIdleQueueIsDrainedAtOnce() {
    queue.drain();
    assertThat(queue.isDrained()).isTrue();
  }

  @Test
  void figures_countByStateAndPriority() {
    test.add("a/working");
    var _ = test.take();
    test.add("a/failed");
    test.fail("no");
    test.addAfter("a/delayed", 60);
    test.add("a/one", Priority.RESYNC);
    test.passMillis(3);
    test.add("b/two", Priority.HIGH);
    test.add("b/two", Priority.HIGH);
    QueueFigures figures = queue.figures();
    assertThat(figures.depths())
        .containsEntry(Entry.State.WORKING, 1)
        .containsEntry(Entry.State.BACKOFF, 1)
        .containsEntry(Entry.State.DELAYED, 1)
        .containsEntry(Entry.State.READY, 2)
        .containsEntry(Entry.State.HELD, 0);
    assertThat(figures.ready())
        .containsEntry(Priority.RESYNC, 1)
        .containsEntry(Priority.HIGH, 1)
        .containsEntry(Priority.LOW, 0);
    assertThat(figures.oldestReady()).isEqualTo(Duration.ofMillis(3));
    assertThat(figures.adds()).isEqualTo(6);
    assertThat(figures.merged()).isEqualTo(1);
    assertThat(figures.takes()).isEqualTo(2);
    assertThat(figures.failures()).isEqualTo(1);
    assertThat(queue.entries(100))
        .extracting(entry -> entry.key().name())
        .containsExactly("working", "one", "two", "failed", "delayed");
    assertThat(queue.entries(3)).hasSize(3);
    assertThat(queue.entries(0)).isEmpty();
  }

  @Test
  void full_refusesNewKeysAndAsksForAllWhenHalfIsFree() {
    var small = new QueueUnderTest(QueueLimits.DEFAULTS.withEntriesMax(4));
    var calls = new AtomicInteger();
    small.queue.onRoom(calls::incrementAndGet);
    for (String name : List.of("a", "b", "c", "d")) {
      small.add(name);
    }
    assertThat(small.queue.add(key("e"), Priority.HIGH, CHANGED)).isFalse();
    assertThat(small.queue.add(key("a"), Priority.HIGH, CHANGED)).as("known").isTrue();
    assertThat(small.queue.figures().overflowed()).isTrue();
    assertThat(small.queue.figures().refused()).isEqualTo(1);
    small.queue.done(small.take(), SETTLED);
    small.fail("still there");
    assertThat(calls).hasValue(0);
    small.queue.done(small.take(), SETTLED);
    assertThat(calls).hasValue(1);
    assertThat(small.queue.figures().overflowed()).isFalse();
    assertThat(small.queue.add(key("e"), Priority.RESYNC, CHANGED)).isTrue();
    assertThat(calls).as("one refusal, one call").hasValue(1);
  }

  /** An owner who goes on where he was refused gets every key worked on, whatever the room. */
  @Test
  void full_everyKeyOfALargerListIsWorkedOnInTheEnd() {
    var small = new QueueUnderTest(QueueLimits.DEFAULTS.withEntriesMax(10));
    var next = new AtomicInteger();
    Runnable feed =
        () -> {
          while (next.get() < 1000
              && small.queue.add(key("n" + next.get()), Priority.RESYNC, CHANGED)) {
            next.incrementAndGet();
          }
        };
    small.queue.onRoom(feed);
    feed.run();
    assertThat(small.takeAll()).hasSize(1000).doesNotHaveDuplicates();
  }

  private static long seconds(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }
}
