package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.PodInfo;

/** Says what nodes are worth that are left. */
public interface Score extends SchedulerPlugin {

  int WORST = 0;
  int BEST = 100;

  /** From {@link #WORST} to {@link #BEST}; what is outside counts as the nearer of both. */
  int score(PodInfo pod, NodeView node);

  /** What it counts for unless the profile says otherwise. */
  default int weight() {
    return 1;
  }
}
