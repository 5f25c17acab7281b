package dev.evenkeel.operate.up;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has the heap collected when what is old in it has grown by a good part of what was found alive
 * the last time. The serial collector by itself lets old objects pile up until the largest heap
 * allowed is full; a watch window makes many of them, since all it holds lives for a while and then
 * dies.
 *
 * <p>Only for that collector: the others decide such things well.
 *
 * <p><b>Threading:</b> all on its loop.
 */
final class HeapKeeper implements AutoCloseable {

  private static final String SERIAL_OLD_POOL = "Tenured Gen";
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  /** What a start leaves behind can wait until whoever waited for it was served. */
  private static final Duration LOOK_FIRST = Duration.ofSeconds(3);

  /** Below this nothing is collected early: so much is always granted. */
  private static final long OLD_BYTES_MIN = 48L << 20;

  /** Up to here memory is dear; a server with more alive than this has a machine with more. */
  private static final long SMALL_BYTES_MAX = 80L << 20;

  /** What a burst has left behind is worth a collection after a while, if it is so much. */
  private static final long LEFT_BEHIND_BYTES_MIN = 16L << 20;

  /** The share of time such collections may take. */
  private static final int LEFT_BEHIND_SHARE = 100;

  private final Loop loop;
  private final Clock clock;
  private final LongSupplier held;
  private final Supplier<@Nullable Old> finder;
  private @Nullable Old old;
  private long alive;
  private boolean mostlyAlive;
  private long heldThen;
  private long collectedNanos;
  private long pauseNanos;

  /** What is old in the heap. */
  interface Old {

    long usedBytes();

    void collect();
  }

  private HeapKeeper(Loop loop, Clock clock, LongSupplier held, Supplier<@Nullable Old> finder) {
    this.loop = loop;
    this.finder = finder;
    this.clock = clock;
    this.held = held;
    this.collectedNanos = clock.nanoTime();
  }

  /**
   * Begins.
   *
   * @param held what the process holds by its own account: when that falls, so does what is alive
   */
  static HeapKeeper start(Env env, LongSupplier held) {
    return start(env, held, HeapKeeper::ofThisProcess);
  }

  /**
   * Begins, on a heap of whatever sort.
   *
   * @param finder finds what is to be looked after; null if nothing is
   */
  static HeapKeeper start(Env env, LongSupplier held, Supplier<@Nullable Old> finder) {
    var keeper = new HeapKeeper(env.loop("heap-keeper"), env.clock(), held, finder);
    keeper.loop.runLater(LOOK_FIRST, keeper::begin);
    return keeper;
  }

  private static @Nullable Old ofThisProcess() {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getName().equals(SERIAL_OLD_POOL)) {
        return new Old() {
          @Override
          public long usedBytes() {
            return pool.getUsage().getUsed();
          }

          @Override
          public void collect() {
            System.gc();
          }
        };
      }
    }
    return null;
  }

  private void begin() {
    old = finder.get();
    look();
  }

  private void look() {
    Old heap = old;
    if (heap == null) {
      return;
    }
    long used = heap.usedBytes();
    long now = clock.nanoTime();
    boolean longAgo = now - collectedNanos > LEFT_BEHIND_SHARE * pauseNanos;
    long holds = held.getAsLong();
    long letGo = Math.max(0, heldThen - holds);
    boolean growing = mostlyAlive && holds > heldThen + heldThen / 10;
    if (used > bytesMax(alive, growing)
        || (longAgo && used > alive - letGo + LEFT_BEHIND_BYTES_MIN)) {
      heldThen = holds;
      heap.collect();
      alive = heap.usedBytes();
      mostlyAlive = alive > used / 4 * 3;
      collectedNanos = clock.nanoTime();
      pauseNanos = collectedNanos - now;
    }
    loop.runLater(LOOK_AGAIN, this::look);
  }

  /**
   * Two fifths more than was alive, and as much again of what is beyond small: a pause for each
   * such growth, and never more than that. Pauses grow with what is alive; so does the time between
   * them.
   *
   * @param growing whether the process holds more than it did, and little was found to free the
   *     last time: then most of what is new is held, and half as many looks do
   */
  static long bytesMax(long alive, boolean growing) {
    long growth = alive / 5 * 2 + Math.max(0, alive - SMALL_BYTES_MAX);
    return Math.max(OLD_BYTES_MIN, alive + (growing ? 2 * growth : growth));
  }

  @Override
  public void close() {
    loop.close();
  }
}
