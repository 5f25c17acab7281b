package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.PodInfo;
import java.util.Objects;

/**
 * Gives a pod its node in another way than by the server's binding, such as through somebody who
 * has to agree. It must not wait for an answer: it begins, and says that the pod is bound.
 */
public interface Bind extends SchedulerPlugin {

  /** What came of it. */
  sealed interface Outcome {

    /** It is bound, or will be. A pod that does not show its node within 30 s is placed anew. */
    record Bound() implements Outcome {}

    /** It is none of this plugin's pods: the next one is asked, and at last the server. */
    record NotMine() implements Outcome {}

    /** It is not bound, and is placed anew after a pause. */
    record Failed(PluginRefusal why) implements Outcome {
      public Failed {
        Objects.requireNonNull(why, "say why");
      }
    }
  }

  Outcome bind(PodInfo pod, String node);
}
