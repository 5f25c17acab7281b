package dev.evenkeel.decide.run;

import dev.evenkeel.decide.plan.Refusal;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.observe.object.Cached;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a runner remembers of one object from one look to the next. Whatever is here may be lost, as
 * it is by a restart: then it is found out again.
 *
 * <p><b>Threading:</b> owned by the runner's loop.
 */
final class Memory {

  /** Objects that are remembered; the longest unused are forgotten. */
  private static final int OBJECTS_MAX = 20_000;

  /** Something outside of the API. */
  record Thing(String actuator, String name) {}

  /**
   * How a thing was last seen.
   *
   * @param state null if it was not there
   */
  record Sight(@Nullable ObjectNode state, Instant at) {}

  final String uid;
  final Map<Thing, Sight> things = new HashMap<>(2);
  final Streak streak = new Streak();
  @Nullable Refusal refusal;

  /** The version that the object got from the last write to it; 0 if there was none. */
  long ownVersion;

  /** Since when the work on a generation lasts; null while there is none. */
  Pace.@Nullable Begun begun;

  private Memory(String uid) {
    this.uid = uid;
  }

  /** The memories of a controller's objects. */
  static final class All {
    private final Map<Key, Memory> memories =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Key, Memory> eldest) {
            return size() > OBJECTS_MAX;
          }
        };

    boolean isEmpty() {
      return memories.isEmpty();
    }

    /** Null if nothing is remembered of this object; another of its name does not count. */
    @Nullable Memory find(Key key, @Nullable Cached<?> object) {
      Memory known = memories.get(key);
      return known == null || object == null || !known.uid.equals(object.uid()) ? null : known;
    }

    Memory of(Key key, Cached<?> object) {
      Memory known = find(key, object);
      if (known == null) {
        known = new Memory(object.uid());
        memories.put(key, known);
      }
      return known;
    }

    void forget(Key key) {
      memories.remove(key);
    }
  }
}
