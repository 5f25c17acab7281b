package dev.evenkeel.kernel.env;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One thread, virtual time, one seed. The same seed gives the same run, task by task.
 *
 * <p>Nothing happens by itself: a test calls {@link #step}, {@link #runUntilIdle} or {@link
 * #runFor} and everything due runs on the calling thread. Where several loops have work that is
 * due, the seed decides which goes first, so a thousand seeds are a thousand interleavings. Within
 * a loop the order is the loop's own. A task that throws fails the call that ran it: a simulation
 * hides nothing.
 *
 * <p><b>Invariants.</b> Virtual time only grows. A task never runs before its time. Tasks of one
 * loop never overlap and keep their order.
 *
 * <p><b>Threading.</b> Owned by the thread that made it; every other thread is refused, because its
 * timing would not be in the seed.
 */
public final class SimulatedEnv implements Env {

  /** Where virtual time starts: a fixed, readable instant. */
  public static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

  /** Where virtual time ends, 292 years on: what would come later comes then. */
  private static final long TIME_NANOS_MAX = Long.MAX_VALUE - 1;

  private final long seed;
  private final RandomGenerator order;
  private final RandomGenerator seeds;
  private final List<SimulatedLoop> loops = new ArrayList<>();
  private final Thread owner = Thread.currentThread();
  private long nowNanos;
  private long tasksRun;
  private long sequence;
  private int loopsMade;
  private @Nullable SimulatedLoop running;
  private long traceHash = 1;

  public SimulatedEnv(long seed) {
    this.seed = seed;
    this.order = new SplittableRandom(seed);
    this.seeds = new SplittableRandom(seed ^ 0x5DEECE66DL);
  }

  public long seed() {
    return seed;
  }

  /** How many tasks have run. */
  public long tasksRun() {
    return tasksRun;
  }

  /** A fingerprint of which loop ran when: two runs with the same one took the same way. */
  public long traceHash() {
    return traceHash;
  }

  @Override
  public Clock clock() {
    return new Clock() {
      @Override
      public Instant now() {
        checkOwner();
        return EPOCH.plusNanos(nowNanos);
      }

      @Override
      public long nanoTime() {
        checkOwner();
        return nowNanos;
      }
    };
  }

  @Override
  public RandomGenerator random() {
    checkOwner();
    return new SplittableRandom(seeds.nextLong());
  }

  @Override
  public Loop loop(String name) {
    checkOwner();
    var loop = new SimulatedLoop(name, loopsMade++);
    loops.add(loop);
    return loop;
  }

  /** Runs one task that is due, or else moves time to the next one. False when nothing is left. */
  public boolean step() {
    checkOwner();
    return stepUntil(Long.MAX_VALUE);
  }

  /**
   * Runs everything, moving time forward as needed, until no task is left.
   *
   * @throws IllegalStateException if tasks are left after {@code tasksMax} of them: something keeps
   *     itself alive
   */
  public void runUntilIdle(long tasksMax) {
    long tasksRunEnd = tasksRun + tasksMax;
    while (step()) {
      if (tasksRun >= tasksRunEnd && !idle()) {
        throw new IllegalStateException("still busy after " + tasksMax + " tasks, seed " + seed);
      }
    }
  }

  private boolean idle() {
    return loops.stream().allMatch(loop -> loop.tasks.isEmpty());
  }

  /** Runs everything that is due now, and leaves the time as it is. */
  public void runDue() {
    runFor(Duration.ZERO);
  }

  /** Runs everything due within the duration and leaves the time at its end. */
  public void runFor(Duration duration) {
    checkOwner();
    long end = timeAfter(duration);
    while (stepUntil(end)) {
      // each step is one task or one move of the clock
    }
    nowNanos = Math.max(nowNanos, end);
  }

  /**
   * The task that runs does not return for so long, as one that waits or reckons: its loop stands
   * still, and the others go on. To be called by that task.
   *
   * @throws IllegalStateException if no task runs
   */
  public void block(Duration duration) {
    checkOwner();
    SimulatedLoop blocked = running;
    if (blocked == null) {
      throw new IllegalStateException("no task runs that could hold up its loop");
    }
    running = null;
    try {
      runFor(duration);
    } finally {
      running = blocked;
    }
  }

  private boolean stepUntil(long endNanos) {
    if (running != null) {
      throw new IllegalStateException("a task of loop " + running.name + " must not run the world");
    }
    var due = new ArrayList<SimulatedLoop>();
    long next = Long.MAX_VALUE;
    for (SimulatedLoop loop : loops) {
      Task head = loop.tasks.peek();
      if (head == null || loop.busy) {
        continue;
      }
      if (head.timeNanos <= nowNanos) {
        due.add(loop);
      } else {
        next = Math.min(next, head.timeNanos);
      }
    }
    if (!due.isEmpty()) {
      due.get(due.size() == 1 ? 0 : order.nextInt(due.size())).runHead();
      return true;
    }
    if (next == Long.MAX_VALUE || next > endNanos) {
      return false;
    }
    nowNanos = next;
    return true;
  }

  private long timeAfter(Duration delay) {
    long time = nowNanos + Delays.toNanos(delay);
    return time < 0 || time > TIME_NANOS_MAX ? TIME_NANOS_MAX : time;
  }

  private void checkOwner() {
    if (!Thread.currentThread().equals(owner)) {
      throw new IllegalStateException(
          "a simulation has one thread, " + owner.getName() + "; this is another");
    }
  }

  private record Task(long timeNanos, long sequence, Runnable work) {}

  private final class SimulatedLoop implements Loop {

    private final String name;
    private final int number;
    private final PriorityQueue<Task> tasks =
        new PriorityQueue<>(
            Comparator.comparingLong(Task::timeNanos).thenComparingLong(Task::sequence));
    private boolean closed;

    /**
     * Whether one of its tasks is on the stack: running, blocked, or waiting for a loop to close.
     */
    private boolean busy;

    SimulatedLoop(String name, int number) {
      this.name = name;
      this.number = number;
    }

    void runHead() {
      Task task = Objects.requireNonNull(tasks.poll());
      tasksRun++;
      traceHash = ((traceHash * 31 + name.hashCode()) * 31 + number) * 31 + nowNanos;
      SimulatedLoop waiting = running;
      running = this;
      busy = true;
      try {
        task.work.run();
      } finally {
        busy = false;
        running = waiting;
        if (closed && tasks.isEmpty()) {
          loops.remove(this);
        }
      }
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void execute(Runnable task) {
      add(Duration.ZERO, task);
    }

    @Override
    public Timer runLater(Duration delay, Runnable task) {
      Task added = add(delay, task);
      return () -> {
        checkOwner();
        tasks.remove(added);
      };
    }

    private Task add(Duration delay, Runnable work) {
      checkOwner();
      if (closed) {
        throw new RejectedExecutionException("loop " + name + " is closed");
      }
      var task = new Task(timeAfter(delay), sequence++, work);
      tasks.add(task);
      return task;
    }

    @Override
    public boolean inLoop() {
      checkOwner();
      return running == this;
    }

    /**
     * Tasks due run now, also where another loop's task waits for it; a simulation has no other
     * thread that could do it.
     *
     * @throws IllegalStateException if this loop waits for the caller's to close: on real threads
     *     both would wait for ever
     */
    @Override
    public void close() {
      checkOwner();
      closed = true;
      tasks.removeIf(task -> task.timeNanos > nowNanos);
      if (inLoop()) {
        return;
      }
      if (busy) {
        throw new IllegalStateException(
            "loop " + name + " closes a loop that closes it: both would wait for ever");
      }
      while (!tasks.isEmpty()) {
        runHead();
      }
      loops.remove(this);
    }
  }
}
