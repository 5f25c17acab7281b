package dev.evenkeel.decide.schedule.place;

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
 */
public record Profile(
    String name,
    Map<String, Integer> weights,
    ResourceStrategy strategy,
    int nearWeight,
    boolean spreadsByDefault) {

  /** kube-scheduler's. */
  public static final Profile DEFAULT =
      new Profile(
          "default-scheduler",
          Map.of(
              Plugins.NODE_RESOURCES_FIT,
              1,
              Plugins.BALANCED_ALLOCATION,
              1,
              Plugins.IMAGE_LOCALITY,
              1,
              Plugins.TAINT_TOLERATION,
              3,
              Plugins.NODE_AFFINITY,
              2,
              Plugins.POD_TOPOLOGY_SPREAD,
              2,
              Plugins.INTER_POD_AFFINITY,
              2),
          ResourceStrategy.LEAST_ALLOCATED,
          1,
          true);

  public Profile {
    weights = Map.copyOf(weights);
  }

  /** The same for pods of another scheduler's name. */
  public Profile named(String other) {
    return new Profile(other, weights, strategy, nearWeight, spreadsByDefault);
  }

  public Profile withWeight(String plugin, int weight) {
    var changed = new HashMap<>(weights);
    changed.put(plugin, weight);
    return new Profile(name, changed, strategy, nearWeight, spreadsByDefault);
  }

  public Profile withStrategy(ResourceStrategy other) {
    return new Profile(name, weights, other, nearWeight, spreadsByDefault);
  }

  public int weight(String plugin) {
    return weights.getOrDefault(plugin, 0);
  }

  /** What the fit of resources is worth: by which of them, and in which direction. */
  public record ResourceStrategy(Kind kind, List<Part> parts, List<Point> points) {

    /** Which nodes are better. */
    public enum Kind {
      /** The emptier. */
      LEAST,
      /** The fuller. */
      MOST,
      /** As a curve says. */
      RATIO
    }

    /** A resource and what it counts for. */
    public record Part(String resource, int weight) {}

    /**
     * Of the curve, by rising use.
     *
     * @param usedPercent of what the node has
     * @param score from 0 to 10
     */
    public record Point(int usedPercent, int score) {}

    private static final List<Part> CPU_AND_MEMORY =
        List.of(new Part("cpu", 1), new Part("memory", 1));

    public static final ResourceStrategy LEAST_ALLOCATED =
        new ResourceStrategy(Kind.LEAST, CPU_AND_MEMORY, List.of());

    public static final ResourceStrategy MOST_ALLOCATED =
        new ResourceStrategy(Kind.MOST, CPU_AND_MEMORY, List.of());

    public ResourceStrategy {
      parts = List.copyOf(parts);
      points = List.copyOf(points);
    }
  }
}
