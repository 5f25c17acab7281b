package dev.evenkeel.decide.run;

import dev.evenkeel.decide.effect.ExternalState;
import dev.evenkeel.decide.guard.LoopGuard;
import dev.evenkeel.decide.guard.ProgressDeadline;
import dev.evenkeel.decide.plan.Refusal;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.observe.object.Cached;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a runner remembers of one object from one look to the next. Whatever is here may be lost, as
 * it is by a restart: then it is found out again.
 *
 * <p><b>Threading:</b> owned by the runner's loop.
 */
final class Memory {

  /** Objects that are remembered; the longest unused are forgotten. */
  private static final int OBJECTS_MAX = 20_000;

  final String uid;
  final ExternalState external;
  final LoopGuard loopGuard = new LoopGuard();
  @Nullable Refusal refusal;

  /** The version that the object got from the last write to it; 0 if there was none. */
  long ownVersion;

  /** Since when the work on a generation lasts; null while there is none. */
  ProgressDeadline.@Nullable Begun begun;

  private Memory(String uid) {
    this.uid = uid;
    this.external = new ExternalState(uid);
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
