package dev.evenkeel.observe.feed;

import dev.evenkeel.kernel.env.Loop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that a feed reaches the versions that somebody needs.
 *
 * <p>A client cannot tell a watch that has nothing to say from one that is dead or late, unless it
 * knows of a version that the server has: that of a write of its own, or of a lease. Then a watch
 * that does not bring it is opened anew, from where it was and for a short time only, since servers
 * say how far they are when a watch ends; and one object is asked for, since servers that answer
 * from a cache bring that up to date for who asks for the newest state. If that brings nothing
 * either, the whole state is read, over a new connection and as a list: whatever swallows watches
 * may swallow the next one too. A list is as new as the server's newest version.
 *
 * <p><b>Invariants:</b> while a version is needed and not reached there is a timer. A state that is
 * being read, and comes, is left alone.
 *
 * <p><b>Threading:</b> owned by the feed's loop.
 */
final class CatchUp {

  /**
   * How long a watch is asked to last that is opened to hear how far the server is. Servers say it
   * two seconds before the end, or at the end.
   */
  static final Duration WATCH_TIME = Duration.ofSeconds(3);

  /** The longest time between two tries. */
  private static final Duration TRY_EVERY_MAX = Duration.ofSeconds(60);

  /** What a feed can do. */
  interface Ways {

    long version();

    /** Whether a whole state is on its way, or a failure is waited out. */
    boolean isAtWork(Duration quietMax);

    /** Opens the watch again, from where it was. */
    void watchAnew();

    /** Reads the whole state. */
    void readAll(String why);
  }

  private final Loop loop;
  private final Duration patience;
  private final Ways ways;
  private long needed;

  /** What was needed when the timer was set: what is needed since then is not late yet. */
  private long expected;

  private int tries;
  private Loop.@Nullable Timer timer;

  CatchUp(Loop loop, Duration patience, Ways ways) {
    this.loop = loop;
    this.patience = patience;
    this.ways = ways;
  }

  void need(long version, boolean atOnce) {
    needed = Math.max(needed, version);
    if (needed <= ways.version()) {
      return;
    }
    if (timer != null && ways.version() >= expected) {
      // What was waited for has come: this is another wait.
      close();
      tries = 0;
    }
    if (atOnce && tries == 0) {
      close();
      expected = needed;
      look();
    } else if (timer == null) {
      expected = needed;
      timer = loop.runLater(patience, this::look);
    }
  }

  /** Whether a watch was found to be behind. */
  boolean isUnderWay() {
    return tries > 0 && ways.version() < needed;
  }

  /** Whether a new watch did not help. */
  boolean mistrustsWatches() {
    return tries > 1 && ways.version() < needed;
  }

  void close() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  private void look() {
    timer = null;
    if (ways.version() >= expected) {
      tries = 0;
      expected = needed;
      if (ways.version() < needed) {
        timer = loop.runLater(patience, this::look);
      }
      return;
    }
    Duration next = next();
    if (!ways.isAtWork(patience.plus(patience))) {
      tries++;
      next = next();
      if (tries == 1) {
        ways.watchAnew();
      } else {
        ways.readAll(
            "no watch brought version "
                + expected
                + ", which the server has; the last that came is "
                + ways.version());
      }
    }
    timer = loop.runLater(next, this::look);
  }

  private Duration next() {
    Duration next = patience.plus(WATCH_TIME);
    for (int i = 1; i < tries && next.compareTo(TRY_EVERY_MAX) < 0; i++) {
      next = next.plus(next);
    }
    return next.compareTo(TRY_EVERY_MAX) < 0 ? next : TRY_EVERY_MAX;
  }
}
