package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.PodInfo;

/** Gives a pod its node in another way than by the server's binding. */
public interface Bind extends SchedulerPlugin {

  /** What came of it. */
  sealed interface Outcome {

    /** It is bound. */
    record Bound() implements Outcome {}

    /** It is none of this plugin's pods: the next one is asked, and at last the server. */
    record NotMine() implements Outcome {}

    /** It is not bound, and will be placed anew. */
    record Failed(Refusal why) implements Outcome {}
  }

  Outcome bind(PodInfo pod, String node);
}
