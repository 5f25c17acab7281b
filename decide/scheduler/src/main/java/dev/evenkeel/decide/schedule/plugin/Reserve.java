package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.PodInfo;
import org.jspecify.annotations.Nullable;

/**
 * Sets something aside for a pod that has a node and is not bound yet. Those of a profile are asked
 * in the order of its plugins. If one refuses, or the pod is not bound in the end, all that were
 * asked take it back, the last one first.
 */
public interface Reserve extends SchedulerPlugin {

  /** Why it cannot; null if it did. The pod then waits for what the refusal says can help. */
  @Nullable PluginRefusal reserve(PodInfo pod, String node);

  /** Takes it back. It may be asked for what it never set aside, and more than once. */
  void unreserve(PodInfo pod, String node);
}
