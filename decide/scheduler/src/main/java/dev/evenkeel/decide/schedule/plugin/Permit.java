package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.PodInfo;
import java.time.Duration;
import java.util.Objects;

/**
 * Lets a pod that has a node be bound, has it wait, or refuses it. While it waits it keeps its
 * node, and is asked about again: when pods or nodes change, and every second. Who let it go is not
 * asked again.
 */
public interface Permit extends SchedulerPlugin {

  /** What it says. */
  sealed interface Answer {

    /** It may be bound. */
    record Go() implements Answer {}

    /**
     * Not yet; after this time it is refused, unless it is asked again and may. Then the node is
     * free for others, and the pod is tried again after a pause.
     *
     * @param atMost from the first such answer; of several the last counts, and never more than 15
     *     minutes
     */
    record Wait(Duration atMost) implements Answer {
      public Wait {
        Objects.requireNonNull(atMost, "say how long it may wait");
      }
    }

    /** It must not, and its node is free again. */
    record No(PluginRefusal why) implements Answer {
      public No {
        Objects.requireNonNull(why, "say why");
      }
    }
  }

  Answer permit(PodInfo pod, String node);
}
