package dev.evenkeel.decide.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.queue.Entry.State;
import dev.evenkeel.kernel.env.SimulatedEnv;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The queue and its model do the same things by chance and must agree on everything that can be
 * seen. What a failure prints is the seed and the steps that led there.
 */
class WorkQueueModelTest {

  private static final int SEEDS = 3000;
  private static final int STEPS = 100;
  private static final List<Priority> PRIORITIES = List.of(Priority.values());

  /** Tight, so that every limit is met. */
  private static final QueueLimits LIMITS =
      new QueueLimits(
          6,
          2,
          3,
          Duration.ofMillis(1),
          Duration.ofMillis(16),
          2,
          Duration.ofMillis(20),
          Duration.ofMillis(4),
          Duration.ofMillis(16),
          2,
          1);

  /** What the runs came by, so that the test cannot pass by doing nothing. */
  private final EnumSet<State> statesSeen = EnumSet.noneOf(State.class);

  private int takes;
  private int retries;
  private int refusals;
  private int roomCalls;
  private int serverOpen;
  private int dependencyOpen;
  private int readyCalls;

  @Test
  void queue_doesWhatTheModelSays() {
    for (long seed = 0; seed < SEEDS; seed++) {
      new Run(seed).go();
    }
    assertThat(statesSeen).containsExactlyInAnyOrder(State.values());
    assertThat(List.of(takes, retries, refusals, roomCalls, serverOpen, dependencyOpen, readyCalls))
        .as("takes, retries, refusals, room, server open, dependency open, calls")
        .allMatch(count -> count > 100);
  }

  private final class Run {
    private final long seed;

    /** Everything goes well in half of the runs: else the queue is full most of the time. */
    private final boolean calm;

    private final SplittableRandom random;
    private final SimulatedEnv env;
    private final WorkQueue queue;
    private final QueueModel model = new QueueModel(LIMITS);
    private final List<Item> working = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private long now;
    private int roomCallsHere;

    /** When the last take that gave nothing was told to look again; none once it was called. */
    private @Nullable Long promised;

    Run(long seed) {
      this.seed = seed;
      this.calm = seed % 2 == 0;
      this.random = new SplittableRandom(seed);
      this.env = new SimulatedEnv(seed);
      this.queue = new WorkQueue("model", env.clock(), () -> 0, LIMITS);
      queue.onReady(
          () -> {
            promised = null;
            readyCalls++;
          });
      queue.onRoom(() -> roomCallsHere++);
    }

    void go() {
      for (int i = 0; i < STEPS; i++) {
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> add(0);
          case 3 -> add(1 + random.nextInt(20));
          case 4, 5, 6 -> take();
          case 7, 8 -> done();
          default -> pass();
        }
        compare();
      }
      roomCalls += roomCallsHere;
      drain();
    }

    private void add(int delayMillis) {
      var key = new Key("ns" + random.nextInt(3), "k" + random.nextInt(3));
      Priority priority = PRIORITIES.get(random.nextInt(PRIORITIES.size()));
      var wake = new Wake(Wake.Kind.OBJECT, "w" + random.nextInt(4));
      steps.add("add " + key + " " + delayMillis + " " + priority + " " + wake.text());
      Duration delay = Duration.ofMillis(delayMillis);
      boolean expected = model.add(key, delay.toNanos(), priority, wake);
      refusals += expected ? 0 : 1;
      assertThat(queue.addAfter(key, delay, priority, wake)).as(this::story).isEqualTo(expected);
    }

    private void take() {
      steps.add("take");
      Item expected = model.take();
      Item item = queue.take();
      assertThat(item).as(this::story).isEqualTo(expected);
      if (item == null) {
        promised = model.next();
      } else {
        takes++;
        retries += item.attempt() > 1 ? 1 : 0;
        working.add(item);
      }
    }

    private void done() {
      if (working.isEmpty()) {
        return;
      }
      Item item = working.remove(random.nextInt(working.size()));
      Duration after = Duration.ofMillis(random.nextInt(30));
      Result result =
          switch (calm ? 0 : random.nextInt(6)) {
            case 0, 1 -> new Result.Settled();
            case 2 -> new Result.Again(after, "again");
            case 3 -> new Result.Failed("failed");
            case 4 -> new Result.Overloaded(WorkQueue.SERVER, after.dividedBy(4));
            default -> new Result.Overloaded("d" + random.nextInt(2), after.dividedBy(4));
          };
      steps.add("done " + item.key() + " " + result);
      model.done(item, result);
      queue.done(item, result);
    }

    private void pass() {
      long next = model.next();
      long nanos =
          random.nextBoolean() && next != Long.MAX_VALUE
              ? next - now
              : Duration.ofMillis(random.nextInt(25)).toNanos();
      steps.add("pass " + nanos);
      now += nanos;
      model.pass(now);
      env.runFor(Duration.ofNanos(nanos));
      if (promised != null && promised <= now) {
        promised = null;
      }
    }

    private void compare() {
      // Doors may let a key through as soon as a probe is back.
      model.pass(now);
      long next = model.next();
      assertThat(queue.untilNext())
          .as(this::story)
          .isEqualTo(next == Long.MAX_VALUE ? null : Duration.ofNanos(next - now));
      if (promised != null) {
        assertThat(next).as(this::story).isGreaterThanOrEqualTo(promised);
      }
      assertThat(roomCallsHere).as(this::story).isEqualTo(model.roomCalls);
      QueueFigures figures = queue.figures();
      for (State state : State.values()) {
        assertThat(figures.depths().get(state)).as(this::story).isEqualTo(model.depth(state));
      }
      assertThat(figures.overflowed()).as(this::story).isEqualTo(model.overflowed);
      for (QueueFigures.OpenBreaker breaker : figures.breakers()) {
        serverOpen += breaker.dependency().equals(WorkQueue.SERVER) ? 1 : 0;
        dependencyOpen += breaker.dependency().equals(WorkQueue.SERVER) ? 0 : 1;
      }
      compareEntries();
    }

    private void compareEntries() {
      List<Entry> entries = queue.entries(100);
      assertThat(entries).as(this::story).hasSize(model.known.size());
      for (Entry entry : entries) {
        QueueModel.Known known = Objects.requireNonNull(model.known.get(entry.key()));
        Item item = known.item;
        boolean gated = known.state == State.READY && !model.server.open;
        statesSeen.add(entry.state());
        assertThat(entry.state()).as(this::story).isEqualTo(gated ? State.HELD : known.state);
        assertThat(entry.attempts()).as(this::story).isEqualTo(known.attempts);
        assertThat(entry.wakes())
            .as(this::story)
            .isEqualTo(item == null ? List.copyOf(known.wakes) : item.wakes());
        assertThat(entry.priority())
            .as(this::story)
            .isEqualTo(item == null ? known.priority : item.priority());
        if (known.state == State.DELAYED || known.state == State.BACKOFF) {
          assertThat(entry.nextTime())
              .as(this::story)
              .isEqualTo(SimulatedEnv.EPOCH.plusNanos(known.due));
        }
      }
    }

    private void drain() {
      queue.drain();
      assertThat(queue.take()).as(this::story).isNull();
      for (Item item : working) {
        assertThat(queue.isDrained()).as(this::story).isFalse();
        queue.done(item, new Result.Failed("late"));
      }
      assertThat(queue.isDrained()).as(this::story).isTrue();
      assertThat(queue.entries(100)).as(this::story).isEmpty();
    }

    private String story() {
      return "seed " + seed + " after\n" + String.join("\n", steps);
    }
  }
}
