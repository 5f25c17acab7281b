package dev.evenkeel.decide.schedule.column;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What nodes have of each resource, and what is taken of it.
 *
 * <p><b>Invariants</b>: what is taken is the sum over the pods of the slot, whether its node is
 * known or not. Resources are never forgotten, for there are few.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
public final class ResourceColumns {

  /** More are refused: each costs memory for every node. */
  public static final int RESOURCES_MAX = 1_000;

  /** What one resource is. */
  public static final class Column {
    private long[] capacity;
    private long[] used;

    private Column(int slots) {
      this.capacity = new long[slots];
      this.used = new long[slots];
    }

    public long capacity(int slot) {
      return capacity[slot];
    }

    public long used(int slot) {
      return used[slot];
    }
  }

  private final Map<String, Column> byName = new HashMap<>();
  private final List<Column> all = new ArrayList<>();
  private long[] scoredCpuMillis;
  private long[] scoredMemoryBytes;
  private boolean[] reported;

  public ResourceColumns(int slots) {
    this.scoredCpuMillis = new long[slots];
    this.scoredMemoryBytes = new long[slots];
    this.reported = new boolean[slots];
  }

  /** Made if it is new: nobody has any of it then. */
  public Column of(String resource) {
    Column known = byName.get(resource);
    if (known == null) {
      if (all.size() == RESOURCES_MAX) {
        throw new IllegalStateException(
            "more than " + RESOURCES_MAX + " resources; remove those nobody needs from the nodes");
      }
      known = new Column(reported.length);
      byName.put(resource, known);
      all.add(known);
    }
    return known;
  }

  /** Whether the node has said what it has. */
  public boolean reported(int slot) {
    return reported[slot];
  }

  /** As scores count it. */
  public long scoredCpuMillis(int slot) {
    return scoredCpuMillis[slot];
  }

  /** As scores count it. */
  public long scoredMemoryBytes(int slot) {
    return scoredMemoryBytes[slot];
  }

  public void resize(int slots) {
    scoredCpuMillis = Arrays.copyOf(scoredCpuMillis, slots);
    scoredMemoryBytes = Arrays.copyOf(scoredMemoryBytes, slots);
    reported = Arrays.copyOf(reported, slots);
    for (Column column : all) {
      column.capacity = Arrays.copyOf(column.capacity, slots);
      column.used = Arrays.copyOf(column.used, slots);
    }
  }

  public void nodeChanged(int slot, @Nullable NodeInfo node) {
    for (Column column : all) {
      column.capacity[slot] = 0;
    }
    reported[slot] = node != null && !node.allocatable().isEmpty();
    if (node != null) {
      node.allocatable().forEach((name, amount) -> of(name).capacity[slot] = amount);
    }
  }

  /**
   * @param sign 1 if a pod of the shape came, -1 if it left
   */
  public void podChanged(Shape shape, int slot, int sign) {
    for (Map.Entry<String, Long> amount : shape.demand().amounts().entrySet()) {
      of(amount.getKey()).used[slot] += sign * amount.getValue();
    }
    scoredCpuMillis[slot] += sign * shape.scoredCpuMillis();
    scoredMemoryBytes[slot] += sign * shape.scoredMemoryBytes();
  }
}
