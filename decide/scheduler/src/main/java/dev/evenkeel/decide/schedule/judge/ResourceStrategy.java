package dev.evenkeel.decide.schedule.judge;

import java.util.List;

/**
 * What the fit of resources is worth: by which of them, and in which direction.
 *
 * @param points of the curve, if that says it
 */
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
