package dev.evenkeel.decide.queue;

import static dev.evenkeel.decide.queue.QueueUnderTest.SETTLED;
import static dev.evenkeel.decide.queue.QueueUnderTest.key;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BreakerTest {

  private final QueueUnderTest test = new QueueUnderTest();
  private final WorkQueue queue = test.queue;

  /** Reports as many overloads as open the breaker, by keys whose names begin with the prefix. */
  private void open(String dependency, String prefix) {
    for (int i = 0; i < QueueLimits.DEFAULTS.overloadsToOpen(); i++) {
      test.add(prefix + i, Priority.HIGH);
      test.overloaded(dependency);
    }
  }

  @Test
  void server_fewOverloadsAreFailuresLikeOthers() {
    test.add("x");
    test.overloaded(WorkQueue.SERVER);
    assertThat(test.entry("x").state()).isEqualTo(Entry.State.BACKOFF);
    assertThat(test.entry("x").wakes())
        .containsExactly(new Wake(Wake.Kind.RETRY, "server is overloaded"));
    test.add("y");
    assertThat(test.take().key()).isEqualTo(key("y"));
  }

  @Test
  void overloads_farApartDoNotOpen() {
    for (int i = 0; i < 10; i++) {
      test.add("x" + i, Priority.HIGH);
      test.overloaded(WorkQueue.SERVER);
      test.passSeconds(6);
    }
    assertThat(queue.figures().breakers()).isEmpty();
  }

  @Test
  void retryAfter_isRespectedByTheKey() {
    test.add("x");
    queue.done(test.take(), new Result.Overloaded(WorkQueue.SERVER, Duration.ofSeconds(17)));
    assertThat(queue.untilNext()).isEqualTo(Duration.ofSeconds(17));
  }

  @Test
  void server_openHoldsEveryKey() {
    open(WorkQueue.SERVER, "x");
    test.add("other/y");
    assertThat(queue.take()).isNull();
    assertThat(queue.untilNext()).isEqualTo(Duration.ofSeconds(1));
    Entry held = test.entry("other/y");
    assertThat(held.state()).isEqualTo(Entry.State.HELD);
    assertThat(held.dependency()).isEqualTo("server");
    assertThat(test.depth(Entry.State.READY)).isZero();
    assertThat(queue.figures().breakers())
        .extracting(QueueFigures.OpenBreaker::dependency)
        .containsExactly("server");
  }

  @Test
  void server_closesAfterProbesOneAtATime() {
    open(WorkQueue.SERVER, "x");
    for (int i = 0; i < 10; i++) {
      test.add("y" + i);
    }
    test.passSeconds(1);
    for (int i = 0; i < QueueLimits.DEFAULTS.probesToClose(); i++) {
      Item probe = test.take();
      assertThat(queue.take()).as("one probe at a time").isNull();
      queue.done(probe, i == 1 ? new Result.Failed("but not by overload") : SETTLED);
    }
    assertThat(queue.figures().breakers()).isEmpty();
    var _ = test.take();
    var _ = test.take();
  }

  @Test
  void server_openAgainForTwiceAsLongWhenAProbeFails() {
    open(WorkQueue.SERVER, "x");
    test.passSeconds(1);
    test.overloaded(WorkQueue.SERVER);
    assertThat(queue.untilNext()).isEqualTo(Duration.ofSeconds(2));
    assertThat(queue.figures().breakers().getFirst().openings()).isEqualTo(2);
    for (int i = 0; i < 10; i++) {
      test.passSeconds(60);
      test.overloaded(WorkQueue.SERVER);
    }
    assertThat(queue.untilNext()).isEqualTo(QueueLimits.DEFAULTS.openMax());
  }

  @Test
  void server_resultsOfWhatWasUnderWayChangeNothing() {
    test.add("early1");
    test.add("early2");
    Item first = test.take();
    Item second = test.take();
    open(WorkQueue.SERVER, "x");
    queue.done(first, SETTLED);
    queue.done(second, new Result.Overloaded(WorkQueue.SERVER, Duration.ofSeconds(50)));
    assertThat(queue.take()).isNull();
    assertThat(queue.untilNext()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void server_aProbeThatIsNotHeardOfIsFollowedByAnother() {
    open(WorkQueue.SERVER, "x");
    test.passSeconds(1);
    var _ = test.take();
    assertThat(queue.untilNext()).isEqualTo(QueueLimits.DEFAULTS.openMax());
    test.env.runFor(QueueLimits.DEFAULTS.openMax());
    var _ = test.take();
  }

  @Test
  void onReady_isCalledWhenAProbeWentWell() {
    open(WorkQueue.SERVER, "x");
    test.passSeconds(1);
    Item probe = test.take();
    assertThat(queue.take()).isNull();
    var calls = new AtomicInteger();
    queue.onReady(calls::incrementAndGet);
    queue.done(probe, SETTLED);
    assertThat(calls).hasValue(1);
    var _ = test.take();
  }

  @Test
  void gatedTime_isCounted() {
    test.add("early");
    test.passSeconds(2);
    open(WorkQueue.SERVER, "x");
    test.passSeconds(1);
    while (true) {
      Item item = test.take();
      queue.done(item, SETTLED);
      if (item.key().equals(key("early"))) {
        assertThat(item.segments())
            .isEqualTo(
                new Segments(
                    Duration.ofSeconds(2).toNanos(), 0, 0, Duration.ofSeconds(1).toNanos(), 0));
        break;
      }
    }
  }

  @Test
  void dependency_holdsOnlyTheKeysThatMetIt() {
    open("registry", "x");
    test.add("y");
    queue.done(test.take(), SETTLED);
    test.passMillis(500);
    assertThat(queue.take()).as("the first two are past their backoff, and held").isNull();
    assertThat(test.depth(Entry.State.HELD)).isEqualTo(3);
    Entry held = test.entry("x0");
    assertThat(held.state()).isEqualTo(Entry.State.HELD);
    assertThat(held.dependency()).isEqualTo("registry");
    assertThat(queue.untilNext()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void dependency_heldKeysComeOneByOneAndThenAll() {
    open("registry", "x");
    for (int i = 0; i < 10; i++) {
      test.add("y" + i);
      test.overloaded("registry");
    }
    test.passSeconds(1);
    for (int i = 0; i < QueueLimits.DEFAULTS.probesToClose(); i++) {
      Item probe = test.take();
      assertThat(queue.take()).isNull();
      queue.done(probe, SETTLED);
    }
    assertThat(test.takeAll()).hasSize(10);
    assertThat(queue.figures().breakers()).isEmpty();
    assertThat(queue.figures().depth()).isZero();
  }

  @Test
  void dependency_anAddDoesNotLetAHeldKeyThrough() {
    open("registry", "x");
    test.passMillis(100);
    test.add("x2", Priority.HIGH);
    assertThat(queue.take()).isNull();
    test.passSeconds(1);
    assertThat(test.take().wakes())
        .containsExactly(
            new Wake(Wake.Kind.RETRY, "registry is overloaded"), QueueUnderTest.CHANGED);
  }

  @Test
  void dependency_probeThatMeetsAnOverloadedServerSaysNothing() {
    open("registry", "x");
    test.passSeconds(1);
    test.overloaded(WorkQueue.SERVER);
    assertThat(queue.figures().breakers())
        .extracting(QueueFigures.OpenBreaker::openings)
        .containsExactly(1);
    var _ = test.take();
  }

  @Test
  void dependency_thatNobodyWaitsForIsClosed() {
    test.add("x");
    for (int i = 0; i < QueueLimits.DEFAULTS.overloadsToOpen(); i++) {
      test.overloaded("registry");
      test.passMillis(100);
    }
    assertThat(test.depth(Entry.State.HELD)).isEqualTo(1);
    test.passSeconds(1);
    queue.done(test.take(), SETTLED);
    assertThat(queue.figures().breakers()).as("one probe, but no other key").isEmpty();
  }

  @Test
  void dependencies_beyondTheLimitAreFailuresLikeOthers() {
    for (int i = 0; i < QueueLimits.DEFAULTS.dependenciesMax(); i++) {
      open("host" + i, "x" + i + "-");
    }
    for (int i = 0; i < 5; i++) {
      test.add("y" + i, Priority.HIGH);
      test.overloaded("one too many");
    }
    assertThat(test.entry("y4").state()).isEqualTo(Entry.State.BACKOFF);
    assertThat(queue.figures().breakers()).hasSize(QueueLimits.DEFAULTS.dependenciesMax());
  }

  @Test
  void dependencies_forgottenMakeRoomForOthers() {
    for (int i = 0; i < QueueLimits.DEFAULTS.dependenciesMax(); i++) {
      test.add("x" + i, Priority.HIGH);
      test.overloaded("host" + i);
    }
    test.passSeconds(600);
    assertThat(test.takeAll()).hasSize(QueueLimits.DEFAULTS.dependenciesMax());
    open("another", "y");
    assertThat(queue.figures().breakers()).hasSize(1);
  }
}
