package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.schedule.plugin.PluginFailure;
import dev.evenkeel.kernel.env.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells the log of plugins that fail: the first time all there is to know, then a line now and
 * then. One that is broken fails for every pod, at every attempt.
 *
 * <p><b>Invariants:</b> of a plugin and a point at most one line is written in {@link
 * #AGAIN_AFTER}, and no failure is left uncounted. At most {@link #KNOWN_MAX} of them are known;
 * beyond it the one that was new first is forgotten, and is news again.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
final class PluginLog {

  static final Duration AGAIN_AFTER = Duration.ofMinutes(1);

  static final int KNOWN_MAX = 256;

  private record Place(String plugin, String point) {}

  private static final class PlannedEvent {
    long atNanos;
    long since;
  }

  private final Clock clock;
  private final Map<Place, PlannedEvent> known = new LinkedHashMap<>();

  PluginLog(Clock clock) {
    this.clock = clock;
  }

  /**
   * Tells of any failure: of one that is no plugin's, all of it each time.
   *
   * @param message what came of it
   */
  void failed(String message, Throwable failure) {
    if (failure instanceof PluginFailure ofPlugin) {
      failedPlugin(message, ofPlugin);
    } else {
      logger().log(System.Logger.Level.ERROR, message, failure);
    }
  }

  private void failedPlugin(String message, PluginFailure failure) {
    var place = new Place(failure.plugin(), failure.point());
    PlannedEvent told = known.get(place);
    if (told == null) {
      told = new PlannedEvent();
      told.atNanos = clock.nanoTime();
      known.put(place, told);
      if (known.size() > KNOWN_MAX) {
        known.remove(known.keySet().iterator().next());
      }
      logger().log(System.Logger.Level.ERROR, message, failure);
      return;
    }
    told.since++;
    if (clock.nanoTime() - told.atNanos >= AGAIN_AFTER.toNanos()) {
      logger()
          .log(
              System.Logger.Level.ERROR,
              failure.getMessage() + "; " + told.since + " times since this was last said");
      told.atNanos = clock.nanoTime();
      told.since = 0;
    }
  }

  private static System.Logger logger() {
    return System.getLogger(PluginLog.class.getName());
  }
}
