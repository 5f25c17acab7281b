package dev.evenkeel.serve.http.lane;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.http.buffer.Staging;
import dev.evenkeel.serve.http.limit.HttpLimits;
import dev.evenkeel.serve.http.limit.LiveCounters;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * What the exchanges of one event loop share: the queues of those that can go on, the buffer that
 * answers are pulled into, the list of the open ones.
 *
 * <p>Answers to requests come first. Streams have the event loop for a slice at a time, between
 * which it reads what has arrived and answers it. The streams that events have woken are a round:
 * who is woken again while it goes on has its turn in the next. If round follows round, the lane
 * rests between the slices of one, four times as long as they take, so that what happens meanwhile
 * leaves together and clients have time to take it; but no round is drawn out to more than its
 * period. The first round after a pause is not drawn out at all.
 *
 * <p><b>Invariants.</b> A slice runs at least one task of each queue that is not resting, in the
 * order in which they came, so everybody has a turn. For what waits a slice is due, or the end of
 * the rest.
 *
 * <p><b>Threading.</b> The event loop; {@link #answer}, {@link #goOn} and {@link #wake} may be
 * called from any thread.
 */
public final class Lane {

  private static final System.Logger LOG = System.getLogger(Lane.class.getName());

  /** How long requests wait for streams, when these are not behind. */
  static final long SLICE_NANOS_MIN = 500_000;

  /** The same, when they are: who writes faster than it can be delivered is slowed down by it. */
  static final long SLICE_NANOS_MAX = 8_000_000;

  /** A slice is this part of the time by which the round is longer than its period. */
  private static final int SLICE_PART = 4;

  /** How many times as long as a slice of a round the lane rests after it. */
  static final int REST_TIMES = 4;

  /** What a round may be drawn out to. */
  static final long PERIOD_NANOS = 32_000_000;

  public final ApiHandler handler;
  public final HttpLimits limits;
  public final LiveCounters tally;
  public final Clock clock;
  public final Staging staging;

  private final LaneLoop loop;
  private final ReadyTasks answers = new ReadyTasks();
  private final ReadyTasks going = new ReadyTasks();
  private final ReadyTasks woken = new ReadyTasks();

  private final TaskQueue streams = new TaskQueue();
  private final TaskQueue round = new TaskQueue();
  private boolean roundIsPaced;
  private long roundBeganNanos;
  private long restUntilNanos;
  private long sliceEndedNanos;
  private boolean sliceIsDue;
  private boolean restIsTimed;

  private @Nullable OpenTask newest;
  private volatile boolean draining;

  public Lane(
      LaneLoop loop,
      ByteBufAllocator allocator,
      ApiHandler handler,
      HttpLimits limits,
      LiveCounters tally,
      Clock clock) {
    this.loop = loop;
    this.staging = new Staging(allocator);
    this.handler = handler;
    this.limits = limits;
    this.tally = tally;
    this.clock = clock;
    this.sliceEndedNanos = clock.nanoTime() - PERIOD_NANOS;
    this.restUntilNanos = sliceEndedNanos;
  }

  /** A request can be answered. As the others, once for any number of calls before it runs. */
  public void answer(LaneTask task) {
    if (task.claim() && answers.add(task)) {
      loop.execute(this::runAnswers);
    }
  }

  /** A stream has more to write, and room for it. */
  public void goOn(LaneTask task) {
    if (task.claim() && going.add(task)) {
      loop.execute(this::begin);
    }
  }

  /** Something has happened that a stream waited for. */
  public void wake(LaneTask task) {
    if (task.claim() && woken.add(task)) {
      loop.execute(this::begin);
    }
  }

  private void runAnswers() {
    LaneTask task = answers.take();
    while (task != null) {
      LaneTask next = task.next;
      task.next = null;
      task.unclaim();
      run(task);
      task = next;
    }
  }

  // ---- slices

  /** At once after a while without streams, so that one event costs one pass of the loop. */
  private void begin() {
    if (sliceIsDue) {
      return;
    }
    if (clock.nanoTime() - sliceEndedNanos >= SLICE_NANOS_MIN) {
      slice();
    } else {
      sliceLater();
    }
  }

  private void sliceLater() {
    sliceIsDue = true;
    loop.executeAfterReading(
        () -> {
          sliceIsDue = false;
          slice();
        });
  }

  private void slice() {
    long now = clock.nanoTime();
    streams.append(going.take());
    boolean resting = now - restUntilNanos < 0;
    if (!resting && round.isEmpty()) {
      beginRound(now);
    }
    long endNanos = now + sliceNanos(now);
    long roundNanos = 0;
    boolean ran;
    do {
      // In turns, so that neither holds up the other.
      ran = runNext(streams);
      long before = clock.nanoTime();
      boolean ranOfRound = !resting && runNext(round);
      now = clock.nanoTime();
      if (ranOfRound) {
        ran = true;
        roundNanos += now - before;
      }
    } while (ran && now - endNanos < 0);
    sliceEndedNanos = now;
    if (roundNanos > 0 && (round.isEmpty() || roundIsPaced)) {
      long left = Math.max(0, PERIOD_NANOS - (now - roundBeganNanos));
      restUntilNanos = now + Math.min(REST_TIMES * roundNanos, left);
    }
    goOnLater(now);
  }

  private boolean runNext(TaskQueue queue) {
    LaneTask task = queue.poll();
    if (task == null) {
      return false;
    }
    task.unclaim();
    run(task);
    return true;
  }

  private void beginRound(long nowNanos) {
    round.append(woken.take());
    if (!round.isEmpty()) {
      roundIsPaced = nowNanos - restUntilNanos < PERIOD_NANOS;
      roundBeganNanos = nowNanos;
    }
  }

  private long sliceNanos(long nowNanos) {
    long behindNanos = round.isEmpty() ? 0 : nowNanos - roundBeganNanos - PERIOD_NANOS;
    return Math.clamp(behindNanos / SLICE_PART, SLICE_NANOS_MIN, SLICE_NANOS_MAX);
  }

  private void goOnLater(long nowNanos) {
    boolean streamsWait = !streams.isEmpty() || !going.isEmpty();
    boolean roundWaits = !round.isEmpty() || !woken.isEmpty();
    long restNanos = restUntilNanos - nowNanos;
    if (streamsWait || (roundWaits && restNanos <= 0)) {
      if (!sliceIsDue) {
        sliceLater();
      }
    } else if (roundWaits) {
      rest(restNanos);
    }
  }

  private void rest(long nanos) {
    if (!restIsTimed) {
      restIsTimed = true;
      loop.executeIn(
          nanos,
          () -> {
            restIsTimed = false;
            begin();
          });
    }
  }

  /** Runs the task now. A fault in it is its own: the tasks behind it have their turn. */
  public void run(LaneTask task) {
    try {
      task.turn();
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "an answer failed", e);
      staging.clear();
      task.abandon();
    }
  }

  // ---- the open ones

  public void add(OpenTask task) {
    task.older = newest;
    if (newest != null) {
      newest.newer = task;
    }
    newest = task;
  }

  public void remove(OpenTask task) {
    if (task.newer != null) {
      task.newer.older = task.older;
    } else {
      newest = task.older;
    }
    if (task.older != null) {
      task.older.newer = task.newer;
    }
    task.newer = null;
    task.older = null;
  }

  /** Gives up what has taken too long. */
  public void sweep() {
    long now = clock.nanoTime();
    OpenTask task = newest;
    while (task != null) {
      OpenTask older = task.older;
      task.giveUpIfLate(now);
      task = older;
    }
  }

  public boolean draining() {
    return draining;
  }

  public void drain() {
    draining = true;
  }

  /** Lets go of the buffer, on the event loop, when nothing is open any more. */
  public void close() {
    staging.close();
  }
}
