package dev.evenkeel.decide.schedule.column;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The topologies that somebody asked for.
 *
 * <p><b>Invariants</b>: a topology that was given out is kept up to date until the log says that
 * everything changed; whoever holds one asks again then.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
public final class Topologies {

  /** Beyond, those over which nothing is summed are let go. */
  public static final int TOPOLOGIES_MAX = 256;

  private final Map<String, Topology> byKey = new HashMap<>();
  private final ChangeLog log;
  private @Nullable NodeInfo[] nodes;

  public Topologies(@Nullable NodeInfo[] nodes, ChangeLog log) {
    this.nodes = nodes;
    this.log = log;
  }

  /** Made from the nodes if nobody asked before. */
  public Topology of(String key) {
    Topology known = byKey.get(key);
    if (known != null) {
      return known;
    }
    if (byKey.size() >= TOPOLOGIES_MAX && byKey.values().removeIf(Topology::isUnused)) {
      log.everythingChanged();
    }
    var made = new Topology(key);
    made.resize(nodes.length);
    for (int slot = 0; slot < nodes.length; slot++) {
      made.nodeChanged(slot, nodes[slot]);
    }
    byKey.put(key, made);
    return made;
  }

  public void resize(@Nullable NodeInfo[] grown) {
    nodes = grown;
    byKey.values().forEach(topology -> topology.resize(grown.length));
  }

  public void nodeChanged(int slot, @Nullable NodeInfo node) {
    for (Topology topology : byKey.values()) {
      topology.nodeChanged(slot, node);
    }
  }
}
