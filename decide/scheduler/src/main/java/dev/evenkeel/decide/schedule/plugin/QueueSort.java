package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.PodInfo;

/** Says which of two pods that wait is placed first. At most one of a profile's plugins may. */
public interface QueueSort extends SchedulerPlugin {

  /** Below zero if the first goes first; a total order, as of a comparator. */
  int compare(PodInfo first, PodInfo second);
}
