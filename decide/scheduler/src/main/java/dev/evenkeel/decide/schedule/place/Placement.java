package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.explain.record.Decision.Evaluation;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What came of trying to place a pod. */
public sealed interface Placement {

  /** Nodes are named as a second choice and so on up to this many. */
  int ALTERNATIVES_MAX = 4;

  PodInfo pod();

  /** Which nodes were rejected why, and what the best were worth. */
  Evaluation evaluation();

  /**
   * There is a node for it.
   *
   * @param node the best
   * @param alternatives the next best, best first
   */
  record Placed(PodInfo pod, String node, List<String> alternatives, Evaluation evaluation)
      implements Placement {

    public Placed {
      alternatives = List.copyOf(alternatives);
    }
  }

  /**
   * There is none.
   *
   * @param helpedBy changes that can help
   * @param heldBy quotas that rejected nodes, as {@code namespace/name}: of {@link WakeOn#QUOTA}
   *     only what frees one of these can help
   * @param preemption pods whose removal would help; null if there are none, or the pod may not
   * @param message for people, in kube-scheduler's words
   */
  record Unplaced(
      PodInfo pod,
      Evaluation evaluation,
      Set<WakeOn> helpedBy,
      Set<String> heldBy,
      @Nullable Preemption preemption,
      String message)
      implements Placement {

    public Unplaced {
      helpedBy = Set.copyOf(helpedBy);
      heldBy = Set.copyOf(heldBy);
    }

    /** Held by no quota. */
    public Unplaced(
        PodInfo pod,
        Evaluation evaluation,
        Set<WakeOn> helpedBy,
        @Nullable Preemption preemption,
        String message) {
      this(pod, evaluation, helpedBy, Set.of(), preemption, message);
    }
  }
}
