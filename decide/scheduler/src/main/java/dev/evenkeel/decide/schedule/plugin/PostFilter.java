package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.PodInfo;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes room for a pod that found none, where the preemption that is built in found no way. */
public interface PostFilter extends SchedulerPlugin {

  /** Pods to remove, and from where. */
  record Room(String node, List<PodInfo> victims) {
    public Room {
      Objects.requireNonNull(node, "room is on a node");
      victims = List.copyOf(victims);
    }
  }

  /** Null if it knows no way either. */
  @Nullable Room postFilter(PodInfo pod, ClusterView cluster);
}
