package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.plugin.ClusterView;
import dev.evenkeel.decide.schedule.plugin.Filter;
import dev.evenkeel.decide.schedule.plugin.NodeView;
import dev.evenkeel.decide.schedule.plugin.PluginRefusal;
import dev.evenkeel.decide.schedule.plugin.PostFilter;
import dev.evenkeel.decide.schedule.plugin.PreFilter;
import dev.evenkeel.decide.schedule.plugin.Score;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a user might write: at most two pods a node, the fuller node first, and some odd rules. */
public final class UsersPlugin implements PreFilter, Filter, Score, PostFilter {

  @Override
  public String name() {
    return "AtMostTwo";
  }

  @Override
  public @Nullable PluginRefusal preFilter(PodInfo pod, ClusterView cluster) {
    return pod.labels().containsKey("banned")
        ? new PluginRefusal("the pod is banned", true, Set.of(WakeOn.ANYTHING))
        : null;
  }

  @Override
  public @Nullable PluginRefusal filter(PodInfo pod, NodeView node) {
    return node.pods().size() >= 2
        ? new PluginRefusal("node(s) had two pods", false, Set.of(WakeOn.POD_REMOVED))
        : null;
  }

  @Override
  public int score(PodInfo pod, NodeView node) {
    return node.pods().size() * 1000;
  }

  @Override
  public int weight() {
    return 10;
  }

  @Override
  public @Nullable Room postFilter(PodInfo pod, ClusterView cluster) {
    return pod.labels().containsKey("pushy")
        ? new Room("a", List.of(cluster.pods("a").getFirst()))
        : null;
  }
}
