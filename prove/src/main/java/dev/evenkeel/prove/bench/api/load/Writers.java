package dev.evenkeel.prove.bench.api.load;

import dev.evenkeel.prove.bench.api.wire.Request;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes objects that are being watched, as fast as the watchers follow or at a fixed rate.
 *
 * <p>Invariants: no more than the backlog's limit of changes are on their way to the average
 * watcher, so that a server that accepts more than it delivers is measured by what it delivers.
 *
 * <p>Threading: called on any event loop.
 */
public final class Writers implements Script {

  /** How soon to look again whether the watchers have caught up. */
  private static final long LOOK_AGAIN_NANOS = 500_000;

  private final Script updates;
  private final LongSupplier deliveredToEach;
  private final int backlogMax;

  /** 0 means as fast as possible. */
  private final double perSecondMax;

  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong nextSlotNanos = new AtomicLong(Long.MIN_VALUE);
  private long[] versions = new long[1024];
  private int versionCount;

  public Writers(
      LoadObjects objects,
      int clients,
      LongSupplier deliveredToEach,
      int backlogMax,
      double perSecondMax) {
    this.updates = Scripts.update(objects, clients, this::written);
    this.deliveredToEach = deliveredToEach;
    this.backlogMax = backlogMax;
    this.perSecondMax = perSecondMax;
  }

  private synchronized void written(long version) {
    if (versionCount == versions.length) {
      versions = Arrays.copyOf(versions, 2 * versionCount);
    }
    versions[versionCount++] = version;
  }

  /** Every version that came of a change, in no order. */
  public synchronized long[] versions() {
    return Arrays.copyOf(versions, versionCount);
  }

  @Override
  public long pauseNanos(int client, long nowNanos) {
    if (asked.get() - deliveredToEach.getAsLong() >= backlogMax) {
      return LOOK_AGAIN_NANOS;
    }
    if (perSecondMax == 0) {
      return 0;
    }
    var _ = nextSlotNanos.compareAndSet(Long.MIN_VALUE, nowNanos);
    long slot = nextSlotNanos.get();
    if (slot > nowNanos) {
      return slot - nowNanos;
    }
    // A slot that was missed by much is not made up for: that would be a burst.
    long next = Math.max(slot, nowNanos - 10_000_000) + (long) (1e9 / perSecondMax);
    return nextSlotNanos.compareAndSet(slot, next) ? 0 : 1;
  }

  @Override
  public @Nullable Request next(int client) {
    asked.incrementAndGet();
    return updates.next(client);
  }

  @Override
  public @Nullable String check(int client, Answer answer) {
    String wrong = updates.check(client, answer);
    if (wrong != null) {
      asked.decrementAndGet();
    }
    return wrong;
  }
}
