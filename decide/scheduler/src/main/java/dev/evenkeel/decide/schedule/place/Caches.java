package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.judge.Reasons;
import dev.evenkeel.decide.schedule.judge.ShapeState;
import dev.evenkeel.decide.schedule.judge.SpreadState;
import dev.evenkeel.decide.schedule.model.Shape;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What earlier pods computed of a cluster, for pods like them.
 *
 * <p><b>Invariants</b>: at most {@link #CELLS_MAX} places for nodes in all, however few shapes that
 * leaves when there are many nodes, but never less than {@link #ENTRIES_MIN} of each.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
final class Caches {

  /** A place takes some fifteen bytes. */
  static final int CELLS_MAX = 1 << 21;

  static final int ENTRIES_MIN = 8;

  private final Profile profile;
  private final Cluster cluster;
  private final Map<Shape, ShapeState> shapes = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<SpreadState.Key, SpreadState> spreads = new LinkedHashMap<>(16, 0.75f, true);
  private Reasons reasons = new Reasons();

  Caches(Profile profile, Cluster cluster) {
    this.profile = profile;
    this.cluster = cluster;
  }

  boolean isOf(Cluster other) {
    return cluster.equals(other);
  }

  Reasons reasons() {
    return reasons;
  }

  /** Up to date. */
  ShapeState shape(Shape shape) {
    if (reasons.isFull()) {
      reasons = new Reasons();
      shapes.clear();
    }
    ShapeState state = shapes.get(shape);
    if (state == null) {
      state = new ShapeState(shape, profile.weighing(), cluster.columns(), reasons);
      shapes.put(shape, state);
      bound(shapes);
    }
    state.refresh();
    return state;
  }

  /** Up to date. */
  SpreadState spread(SpreadState.Key key) {
    SpreadState state = spreads.get(key);
    if (state == null) {
      state = new SpreadState(key, cluster.columns());
      spreads.put(key, state);
      bound(spreads);
    }
    state.refresh();
    return state;
  }

  private void bound(Map<?, ?> entries) {
    int max = Math.max(ENTRIES_MIN, CELLS_MAX / Math.max(1, cluster.slotsUsed()));
    while (entries.size() > max) {
      entries.remove(entries.keySet().iterator().next());
    }
  }
}
