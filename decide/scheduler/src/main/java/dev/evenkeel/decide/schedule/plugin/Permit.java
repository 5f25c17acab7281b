package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.PodInfo;
import java.time.Duration;

/** Lets a pod that has a node be bound, has it wait, or refuses it. */
public interface Permit extends SchedulerPlugin {

  /** What it says. */
  sealed interface Answer {

    /** It may be bound. */
    record Go() implements Answer {}

    /** Not yet; after this time it is refused, unless it is asked again and may. */
    record Wait(Duration atMost) implements Answer {}

    /** It must not, and its node is free again. */
    record No(Refusal why) implements Answer {}
  }

  Answer permit(PodInfo pod, String node);
}
