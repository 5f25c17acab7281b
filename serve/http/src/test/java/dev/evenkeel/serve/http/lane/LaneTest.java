package dev.evenkeel.serve.http.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.serve.http.limit.HttpLimits;
import dev.evenkeel.serve.http.limit.LiveCounters;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class LaneTest {

  /** As netty's: what is due is fetched once in a pass, then tasks run until there is none. */
  private static final class TestLoop implements LaneLoop, Clock {
    private record Timed(long atNanos, long number, Runnable task) implements Comparable<Timed> {
      @Override
      public int compareTo(Timed other) {
        return atNanos == other.atNanos
            ? Long.compare(number, other.number)
            : Long.compare(atNanos, other.atNanos);
      }
    }

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final PriorityQueue<Timed> timed = new PriorityQueue<>();
    private long count;
    private long nanos = 1_000_000_000L;

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    @Override
    public void executeAfterReading(Runnable task) {
      executeIn(0, task);
    }

    @Override
    public void executeIn(long after, Runnable task) {
      timed.add(new Timed(nanos + after, count++, task));
    }

    /** One pass of the loop, after it has read. */
    void pass() {
      while (!timed.isEmpty() && timed.peek().atNanos <= nanos) {
        tasks.add(timed.poll().task);
      }
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    }

    @Override
    public Instant now() {
      return Instant.ofEpochSecond(0, nanos);
    }

    @Override
    public long nanoTime() {
      return nanos;
    }
  }

  /** Takes its time whenever it has its turn. */
  private final class TimedTask extends LaneTask {
    private final String name;
    private final long takesNanos;
    private int count;
    private boolean endless;

    TimedTask(String name, long takesNanos) {
      this.name = name;
      this.takesNanos = takesNanos;
    }

    @Override
    protected void turn() {
      loop.nanos += takesNanos;
      count++;
      turns.add(name);
      if (endless) {
        lane.goOn(this);
      }
    }

    @Override
    protected void abandon() {
      throw new AssertionError(name);
    }
  }

  private static final long TURN_NANOS = 10_000;

  private final TestLoop loop = new TestLoop();
  private final List<String> turns = new ArrayList<>();
  private final Lane lane =
      new Lane(
          loop,
          UnpooledByteBufAllocator.DEFAULT,
          _ -> {
            throw new AssertionError("nobody asks");
          },
          HttpLimits.DEFAULTS,
          new LiveCounters(),
          loop);

  private List<TimedTask> wakeAll(int count) {
    var all = new ArrayList<TimedTask>();
    for (int i = 0; i < count; i++) {
      all.add(new TimedTask("event " + i, TURN_NANOS));
    }
    all.forEach(lane::wake);
    return all;
  }

  private void passUntil(int turnCount) {
    for (int pass = 0; turns.size() < turnCount && pass < 10_000; pass++) {
      loop.pass();
    }
    assertThat(turns).hasSizeGreaterThanOrEqualTo(turnCount);
  }

  @Test
  void answers_comeBetweenTheSlicesOfALargeFanOut() {
    var _ = wakeAll(1_000);
    loop.pass();
    int slice = turns.size();
    assertThat((long) slice).isBetween(1L, Lane.SLICE_NANOS_MIN / TURN_NANOS + 1);
    assertThat(slice).isLessThan(200);
    lane.answer(new TimedTask("answer", 0));
    loop.pass();
    assertThat(turns.subList(slice, turns.size())).contains("answer");
    assertThat(turns).hasSizeLessThan(5 * slice);
    passUntil(1_001);
  }

  @Test
  void events_leaveInTheOrderInWhichTheyCame() {
    List<TimedTask> all = wakeAll(300);
    passUntil(300);
    assertThat(turns).containsExactlyElementsOf(all.stream().map(each -> each.name).toList());
  }

  @Test
  void slices_growWithWhatIsBehind_upToALimit() {
    var _ = wakeAll(20_000);
    loop.pass();
    int first = turns.size();
    int longest = 0;
    while (turns.size() < 20_000) {
      int before = turns.size();
      loop.pass();
      longest = Math.max(longest, turns.size() - before);
    }
    assertThat(longest).isGreaterThan(5 * first);
    assertThat((long) longest).isLessThanOrEqualTo(Lane.SLICE_NANOS_MAX / TURN_NANOS + 1);
  }

  @Test
  void endlessStream_holdsUpNobody() {
    var endless = new TimedTask("endless", Lane.SLICE_NANOS_MAX);
    endless.endless = true;
    lane.goOn(endless);
    loop.pass();
    List<TimedTask> all = wakeAll(100);
    for (int pass = 0; pass < 300; pass++) {
      loop.pass();
    }
    assertThat(all).allMatch(each -> each.count == 1);
    assertThat(endless.count).isGreaterThan(1);
  }

  @Test
  void whoIsWokenAgainWhileTheRoundGoesOn_hasOneTurnInTheNext() {
    List<TimedTask> all = wakeAll(1_000);
    loop.pass();
    TimedTask first = all.getFirst();
    assertThat(first.count).isEqualTo(1);
    lane.wake(first);
    lane.wake(first);
    passUntil(1_000);
    assertThat(first.count).isEqualTo(1);
    loop.nanos += Lane.PERIOD_NANOS;
    loop.pass();
    assertThat(first.count).isEqualTo(2);
  }

  @Test
  void firstRoundAfterAPause_isNotDrawnOut() {
    var _ = wakeAll(1);
    loop.pass();
    assertThat(turns).hasSize(1);
    loop.nanos += 2 * Lane.PERIOD_NANOS;
    long before = loop.nanos;
    var _ = wakeAll(1_000);
    passUntil(1_001);
    assertThat(loop.nanos - before).isEqualTo(1_000 * TURN_NANOS);
  }

  @Test
  void roundAfterRound_isDrawnOutToItsPeriod() {
    int count = (int) (Lane.PERIOD_NANOS / TURN_NANOS / (Lane.REST_TIMES + 1)) / 2;
    List<TimedTask> all = wakeAll(count);
    passUntil(count);
    loop.nanos += Lane.REST_TIMES * Lane.SLICE_NANOS_MIN;
    all.forEach(lane::wake);
    long before = loop.nanos;
    long workNanos = count * TURN_NANOS;
    passInTimeUntil(2 * count);
    // Half of the period's worth of work and rest, but for the rest after the last slice.
    assertThat(loop.nanos - before)
        .isBetween(workNanos * Lane.REST_TIMES, workNanos * (Lane.REST_TIMES + 2));

    all.forEach(lane::wake);
    var many = wakeAll(5_000);
    before = loop.nanos;
    passInTimeUntil(3 * count + many.size());
    assertThat(loop.nanos - before).isLessThan(Lane.PERIOD_NANOS + (count + 5_000L) * TURN_NANOS);
  }

  /** Whenever nothing happens, time goes on. */
  private void passInTimeUntil(int turnCount) {
    for (int pass = 0; turns.size() < turnCount && pass < 100_000; pass++) {
      int before = turns.size();
      loop.pass();
      loop.nanos += turns.size() == before ? TURN_NANOS : 0;
    }
    assertThat(turns).hasSize(turnCount);
  }

  @Test
  void rest_isForEventsAlone() {
    var _ = wakeAll(1_000);
    passUntil(1_000);
    lane.wake(new TimedTask("event", 0));
    lane.goOn(new TimedTask("list", 0));
    lane.answer(new TimedTask("answer", 0));
    loop.pass();
    loop.pass();
    assertThat(turns.subList(1_000, turns.size())).containsExactlyInAnyOrder("answer", "list");
  }
}
