package dev.evenkeel.serve.http.lane;

import org.jspecify.annotations.Nullable;

/**
 * A task that its lane keeps in a list while it is open, so that it can give it up.
 *
 * <p><b>Threading.</b> The lane's event loop.
 */
public abstract class OpenTask extends LaneTask {

  @Nullable OpenTask newer;
  @Nullable OpenTask older;

  /** Ends it if it has taken too long. */
  protected abstract void giveUpIfLate(long nowNanos);
}
