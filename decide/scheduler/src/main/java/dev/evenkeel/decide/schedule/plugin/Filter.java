package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.PodInfo;
import org.jspecify.annotations.Nullable;

/** Rejects nodes. It is asked for those only that everything built in lets pass. */
public interface Filter extends SchedulerPlugin {

  /** Why the node is none for the pod; null if it may be. */
  @Nullable PluginRefusal filter(PodInfo pod, NodeView node);
}
