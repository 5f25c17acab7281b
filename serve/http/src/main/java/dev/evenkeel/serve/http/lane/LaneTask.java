package dev.evenkeel.serve.http.lane;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Something to be run on a {@link Lane}, from any thread and without an allocation. */
public abstract class LaneTask {

  private final AtomicBoolean queued = new AtomicBoolean();

  /** The next one in the lane's queue; whoever queued this task owns it. */
  @Nullable LaneTask next;

  /** Whether the caller is to queue it: it waits in one place at a time. */
  final boolean claim() {
    return queued.compareAndSet(false, true);
  }

  final void unclaim() {
    queued.set(false);
  }

  /** Runs on the lane's thread. */
  protected abstract void turn();

  /** The turn has failed, by a fault of ours: lets go of everything, on the lane's thread. */
  protected abstract void abandon();
}
