package dev.evenkeel.serve.http;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.serve.api.ApiHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.vertx.core.Context;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the exchanges of one event loop share: the queue of those that can go on, the buffer that
 * answers are pulled into, the list of the open ones.
 *
 * <p><b>Invariants.</b> The staging buffer is empty between two turns. At most one task for the
 * queue is handed to the event loop at a time, however many wake-ups there are.
 *
 * <p><b>Threading.</b> The event loop; {@link #ready} may be called from any thread.
 */
final class Lane {

  private static final System.Logger LOG = System.getLogger(Lane.class.getName());

  /** How much is pulled and written at once. */
  static final int STAGING_BYTES = 64 << 10;

  /** What fills this much of the staging buffer leaves in it; less is copied to its own size. */
  private static final int HAND_OVER_BYTES_MIN = STAGING_BYTES / 2;

  final ApiHandler handler;
  final HttpLimits limits;
  final Tally tally;
  final Clock clock;

  private final Context context;
  private final AtomicReference<@Nullable LaneTask> ready = new AtomicReference<>();
  private final ByteBufAllocator allocator;
  private @Nullable ByteBuf staging;
  private @Nullable Exchange newest;
  private volatile boolean draining;

  Lane(
      Context context,
      ByteBufAllocator allocator,
      ApiHandler handler,
      HttpLimits limits,
      Tally tally,
      Clock clock) {
    this.context = context;
    this.allocator = allocator;
    this.handler = handler;
    this.limits = limits;
    this.tally = tally;
    this.clock = clock;
  }

  /** Has the task run on the event loop, once for any number of calls before it runs. */
  void ready(LaneTask task) {
    if (!task.claim()) {
      return;
    }
    LaneTask previous;
    do {
      previous = ready.get();
      task.next = previous;
    } while (!ready.compareAndSet(previous, task));
    if (previous == null) {
      context.runOnContext(_ -> runReady());
    }
  }

  private void runReady() {
    LaneTask task = inOrder(ready.getAndSet(null));
    while (task != null) {
      LaneTask next = task.next;
      task.next = null;
      task.unclaim();
      run(task);
      task = next;
    }
  }

  /** Runs the task now. A fault in it is its own: the tasks behind it have their turn. */
  void run(LaneTask task) {
    try {
      task.turn();
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "an answer failed", e);
      clearStaged();
      task.abandon();
    }
  }

  /** The queue is a stack: whoever came last is first. */
  private static @Nullable LaneTask inOrder(@Nullable LaneTask last) {
    LaneTask first = null;
    while (last != null) {
      LaneTask previous = last.next;
      last.next = first;
      first = last;
      last = previous;
    }
    return first;
  }

  /** The buffer to pull into, as far as it has room. */
  ByteBuf staging() {
    if (staging == null) {
      staging = allocator.directBuffer(STAGING_BYTES, STAGING_BYTES);
    }
    return staging;
  }

  /** What was staged, as a buffer of the caller's to be released; null if there is nothing. */
  @Nullable ByteBuf takeStaged() {
    ByteBuf full = staging;
    if (full == null || !full.isReadable()) {
      return null;
    }
    int bytes = full.readableBytes();
    if (bytes >= HAND_OVER_BYTES_MIN) {
      staging = null;
      return full;
    }
    // A small event must not hold a large buffer until its client has taken it.
    ByteBuf own = allocator.directBuffer(bytes, bytes).writeBytes(full);
    full.clear();
    return own;
  }

  /** Forgets what a failed pull may have left. */
  void clearStaged() {
    if (staging != null) {
      staging.clear();
    }
  }

  void add(Exchange exchange) {
    exchange.older = newest;
    if (newest != null) {
      newest.newer = exchange;
    }
    newest = exchange;
  }

  void remove(Exchange exchange) {
    if (exchange.newer != null) {
      exchange.newer.older = exchange.older;
    } else {
      newest = exchange.older;
    }
    if (exchange.older != null) {
      exchange.older.newer = exchange.newer;
    }
    exchange.newer = null;
    exchange.older = null;
  }

  /** Gives up what has taken too long. */
  void sweep() {
    long now = clock.nanoTime();
    Exchange exchange = newest;
    while (exchange != null) {
      Exchange older = exchange.older;
      exchange.giveUpIfLate(now);
      exchange = older;
    }
  }

  boolean draining() {
    return draining;
  }

  void drain() {
    draining = true;
  }

  /** Lets go of the buffer, on the event loop, when nothing is open any more. */
  void close() {
    if (staging != null) {
      staging.release();
      staging = null;
    }
  }
}
