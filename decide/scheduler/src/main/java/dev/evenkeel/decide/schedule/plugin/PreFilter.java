package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.PodInfo;
import org.jspecify.annotations.Nullable;

/** Rejects a pod before nodes are looked at. */
public interface PreFilter extends SchedulerPlugin {

  /** Why the pod cannot be placed on any node now; null if it may. */
  @Nullable PluginRefusal preFilter(PodInfo pod, ClusterView cluster);
}
