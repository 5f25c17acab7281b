package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.judge.Reason;
import dev.evenkeel.decide.schedule.judge.Reasons;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.plugin.Filter;
import dev.evenkeel.decide.schedule.plugin.NodeView;
import dev.evenkeel.decide.schedule.plugin.PluginFailure;
import dev.evenkeel.decide.schedule.plugin.PluginRefusal;
import dev.evenkeel.decide.schedule.plugin.PostFilter;
import dev.evenkeel.decide.schedule.plugin.PreFilter;
import dev.evenkeel.decide.schedule.plugin.SchedulerPlugin;
import dev.evenkeel.decide.schedule.plugin.Score;
import java.util.List;

/** The users' plugins of a profile, by the points at which placing asks them. */
record Extensions(
    List<PreFilter> preFilters,
    List<Filter> filters,
    List<Score> scores,
    List<PostFilter> postFilters) {

  static Extensions of(List<SchedulerPlugin> plugins) {
    return new Extensions(
        those(plugins, PreFilter.class),
        those(plugins, Filter.class),
        those(plugins, Score.class),
        those(plugins, PostFilter.class));
  }

  private static <T> List<T> those(List<SchedulerPlugin> plugins, Class<T> point) {
    return plugins.stream().filter(point::isInstance).map(point::cast).toList();
  }

  /** Whether each node has to be shown to a plugin. */
  boolean looksAtNodes() {
    return !filters.isEmpty() || !scores.isEmpty();
  }

  int verdict(PodInfo pod, NodeView node, Reasons reasons) {
    for (Filter filter : filters) {
      PluginRefusal refusal;
      try {
        refusal = filter.filter(pod, node);
      } catch (Throwable e) {
        throw PluginFailure.of(filter, "Filter", e);
      }
      if (refusal != null) {
        return reasons.number(
            new Reason(
                PluginFailure.nameOf(filter),
                List.of(refusal.reason()),
                refusal.isFinal(),
                refusal.helpedBy()));
      }
    }
    return Reasons.FITS;
  }

  /** From worst to best, times what the plugin counts for. */
  static int points(Score plugin, PodInfo pod, NodeView node, Profile profile) {
    try {
      int score = Math.clamp(plugin.score(pod, node), Score.WORST, Score.BEST);
      return score * profile.weights().getOrDefault(plugin.name(), plugin.weight());
    } catch (Throwable e) {
      throw PluginFailure.of(plugin, "Score", e);
    }
  }

  int points(PodInfo pod, NodeView node, Profile profile) {
    int sum = 0;
    for (Score plugin : scores) {
      sum += points(plugin, pod, node, profile);
    }
    return sum;
  }
}
