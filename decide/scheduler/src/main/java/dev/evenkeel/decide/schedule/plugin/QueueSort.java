package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.PodInfo;

/**
 * Says which of two pods that wait is placed first, in place of their priority. All profiles share
 * the queue, so at most one of all plugins may. Pods that are equal to it go by priority and age.
 */
public interface QueueSort extends SchedulerPlugin {

  /**
   * Below zero if the first goes first; a total order, as of a comparator. Where it is none, or
   * throws, no pod is lost, and who is first is anybody's guess.
   */
  int compare(PodInfo first, PodInfo second);
}
