package dev.evenkeel.decide.schedule.judge;

import java.util.Map;

/**
 * What the arguments count for.
 *
 * @param byPlugin one that is not there does not score
 * @param strategy what the fit of resources is worth
 * @param near what it is worth that pods which had to be near this one's sort are near
 */
public record Weights(Map<String, Integer> byPlugin, ResourceStrategy strategy, int near) {

  public Weights {
    byPlugin = Map.copyOf(byPlugin);
  }

  public int of(String plugin) {
    return byPlugin.getOrDefault(plugin, 0);
  }
}
