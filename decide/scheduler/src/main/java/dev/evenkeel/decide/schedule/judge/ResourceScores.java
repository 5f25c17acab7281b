package dev.evenkeel.decide.schedule.judge;

import dev.evenkeel.decide.schedule.column.ResourceColumns;
import dev.evenkeel.decide.schedule.model.Shape;
import java.util.List;

/**
 * What nodes are worth to pods of one shape, by their resources: from 0 to 100, in whole numbers
 * and rounded where kube-scheduler rounds, so that the same node wins.
 */
final class ResourceScores {

  static final int BEST = 100;

  /** Products with {@link #BEST} fit into a long up to here. */
  private static final long EXACT_MAX = Long.MAX_VALUE / BEST;

  private static final int CPU = 0;
  private static final int MEMORY = 1;
  private static final int OTHER = 2;

  private final ResourceColumns resources;
  private final ResourceStrategy strategy;
  private final ResourceColumns.Column[] columns;
  private final int[] sources;
  private final int[] weights;
  private final long[] wanted;
  private final ResourceColumns.Column cpu;
  private final ResourceColumns.Column memory;
  private final long wantedCpu;
  private final long wantedMemory;

  ResourceScores(Shape shape, ResourceStrategy strategy, ResourceColumns resources) {
    this.resources = resources;
    this.strategy = strategy;
    List<ResourceStrategy.Part> parts =
        strategy.parts().stream().filter(part -> counts(part.resource(), shape)).toList();
    columns = new ResourceColumns.Column[parts.size()];
    sources = new int[parts.size()];
    weights = new int[parts.size()];
    wanted = new long[parts.size()];
    for (int i = 0; i < columns.length; i++) {
      String resource = parts.get(i).resource();
      columns[i] = resources.of(resource);
      weights[i] = parts.get(i).weight();
      sources[i] = resource.equals("cpu") ? CPU : resource.equals("memory") ? MEMORY : OTHER;
      wanted[i] =
          switch (sources[i]) {
            case CPU -> shape.scoredCpuMillis();
            case MEMORY -> shape.scoredMemoryBytes();
            default -> amount(shape, resource);
          };
    }
    cpu = resources.of("cpu");
    memory = resources.of("memory");
    wantedCpu = amount(shape, "cpu");
    wantedMemory = amount(shape, "memory");
  }

  private static long amount(Shape shape, String resource) {
    return shape.demand().amounts().getOrDefault(resource, 0L);
  }

  /** A resource of some nodes only does not judge pods that want none of it. */
  private static boolean counts(String resource, Shape shape) {
    return resource.equals("cpu")
        || resource.equals("memory")
        || resource.equals("ephemeral-storage")
        || amount(shape, resource) > 0;
  }

  private long used(int part, int slot) {
    return switch (sources[part]) {
      case CPU -> resources.scoredCpuMillis(slot);
      case MEMORY -> resources.scoredMemoryBytes(slot);
      default -> columns[part].used(slot);
    };
  }

  int fit(int slot) {
    long sum = 0;
    long weightSum = 0;
    for (int i = 0; i < columns.length; i++) {
      long capacity = columns[i].capacity(slot);
      if (capacity == 0) {
        continue;
      }
      long use = used(i, slot) + wanted[i];
      long score =
          switch (strategy.kind()) {
            case LEAST -> use > capacity ? 0 : percent(capacity - use, capacity);
            case MOST -> percent(Math.min(use, capacity), capacity);
            case RATIO -> ratio(use > capacity ? BEST : percent(use, capacity));
          };
      if (strategy.kind() != ResourceStrategy.Kind.RATIO || score > 0) {
        sum += score * weights[i];
        weightSum += weights[i];
      }
    }
    if (weightSum == 0) {
      return 0;
    }
    return strategy.kind() == ResourceStrategy.Kind.RATIO
        ? (int) Math.round((double) sum / weightSum)
        : (int) (sum / weightSum);
  }

  /** Whether pods of the shape are judged by balance: those that want nothing are not. */
  boolean judgesBalance() {
    return wantedCpu > 0 || wantedMemory > 0;
  }

  int balanced(int slot) {
    long cpuCapacity = cpu.capacity(slot);
    long memoryCapacity = memory.capacity(slot);
    if (cpuCapacity == 0 || memoryCapacity == 0) {
      return BEST;
    }
    double ofCpu = Math.min(1, (double) (cpu.used(slot) + wantedCpu) / cpuCapacity);
    double ofMemory = Math.min(1, (double) (memory.used(slot) + wantedMemory) / memoryCapacity);
    return (int) ((1 - Math.abs((ofCpu - ofMemory) / 2)) * BEST);
  }

  private static long percent(long part, long whole) {
    return part <= EXACT_MAX ? part * BEST / whole : part / (whole / BEST);
  }

  /** The curve between its points, and flat outside of them. */
  private long ratio(long percent) {
    List<ResourceStrategy.Point> points = strategy.points();
    for (int i = 0; i < points.size(); i++) {
      ResourceStrategy.Point point = points.get(i);
      if (percent <= point.usedPercent()) {
        if (i == 0) {
          return point.score() * 10L;
        }
        ResourceStrategy.Point before = points.get(i - 1);
        return before.score() * 10L
            + (point.score() - before.score())
                * 10L
                * (percent - before.usedPercent())
                / (point.usedPercent() - before.usedPercent());
      }
    }
    return points.isEmpty() ? 0 : points.getLast().score() * 10L;
  }
}
