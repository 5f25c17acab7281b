package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.judge.PluginNames;
import dev.evenkeel.decide.schedule.judge.ResourceStrategy;
import dev.evenkeel.decide.schedule.judge.Weights;
import dev.evenkeel.decide.schedule.plugin.SchedulerPlugin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How pods of a scheduler's name are placed.
 *
 * @param name the {@code schedulerName} of its pods
 * @param weights of what scores, by plugin; one that is not there does not score
 * @param strategy what the fit of resources is worth
 * @param nearWeight what it is worth that pods which had to be near this one's sort are near
 * @param spreadsByDefault whether pods of one owner or service that say nothing are spread
 * @param plugins of users, beside what is built in
 * @param zoneSkewMax by how many pods of a sort a zone may be ahead of the emptiest; 0 if by any
 *     number
 */
public record Profile(
    String name,
    Map<String, Integer> weights,
    ResourceStrategy strategy,
    int nearWeight,
    boolean spreadsByDefault,
    List<SchedulerPlugin> plugins,
    int zoneSkewMax) {

  /** kube-scheduler's. */
  public static final Profile DEFAULT =
      new Profile(
          "default-scheduler",
          Map.of(
              PluginNames.NODE_RESOURCES_FIT,
              1,
              PluginNames.BALANCED_ALLOCATION,
              1,
              PluginNames.IMAGE_LOCALITY,
              1,
              PluginNames.TAINT_TOLERATION,
              3,
              PluginNames.NODE_AFFINITY,
              2,
              PluginNames.POD_TOPOLOGY_SPREAD,
              2,
              PluginNames.INTER_POD_AFFINITY,
              2),
          ResourceStrategy.LEAST_ALLOCATED,
          1,
          true,
          List.of(),
          0);

  public Profile {
    weights = Map.copyOf(weights);
    plugins = List.copyOf(plugins);
  }

  /** The same for pods of another scheduler's name. */
  public Profile named(String other) {
    return new Profile(
        other, weights, strategy, nearWeight, spreadsByDefault, plugins, zoneSkewMax);
  }

  public Profile withWeight(String plugin, int weight) {
    var changed = new HashMap<>(weights);
    changed.put(plugin, weight);
    return new Profile(name, changed, strategy, nearWeight, spreadsByDefault, plugins, zoneSkewMax);
  }

  public Profile withStrategy(ResourceStrategy other) {
    return new Profile(name, weights, other, nearWeight, spreadsByDefault, plugins, zoneSkewMax);
  }

  /** With these plugins of users, and no others. */
  public Profile withPlugins(List<SchedulerPlugin> others) {
    return new Profile(name, weights, strategy, nearWeight, spreadsByDefault, others, zoneSkewMax);
  }

  /** With no zone so much ahead of the others, for pods of one owner, service or set of labels. */
  public Profile withZoneSkew(int max) {
    return new Profile(name, weights, strategy, nearWeight, spreadsByDefault, plugins, max);
  }

  public int weight(String plugin) {
    return weights.getOrDefault(plugin, 0);
  }

  Weights weighing() {
    return new Weights(weights, strategy, nearWeight);
  }
}
