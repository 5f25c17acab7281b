package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import java.util.List;

/**
 * A node and the pods on it.
 *
 * @param pods assumed ones among them, and without those that are removed in a trial
 */
public record NodeView(NodeInfo node, List<PodInfo> pods) {

  /** What the pods take of a resource, in the units of {@code Demand}. */
  public long used(String resource) {
    long used = 0;
    for (PodInfo pod : pods) {
      used += pod.demand().amounts().getOrDefault(resource, 0L);
    }
    return used;
  }
}
