package dev.evenkeel.prove.schedule;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.plugin.Bind;
import dev.evenkeel.decide.schedule.plugin.ClusterView;
import dev.evenkeel.decide.schedule.plugin.Filter;
import dev.evenkeel.decide.schedule.plugin.NodeView;
import dev.evenkeel.decide.schedule.plugin.Permit;
import dev.evenkeel.decide.schedule.plugin.PluginRefusal;
import dev.evenkeel.decide.schedule.plugin.PostFilter;
import dev.evenkeel.decide.schedule.plugin.PreFilter;
import dev.evenkeel.decide.schedule.plugin.QueueSort;
import dev.evenkeel.decide.schedule.plugin.Reserve;
import dev.evenkeel.decide.schedule.plugin.Score;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Plugins as users write them, each for one point, which note what they were asked. */
final class GivenPlugins {

  private GivenPlugins() {}

  static PluginRefusal refusal(String why, WakeOn... helpedBy) {
    return new PluginRefusal(why, true, Set.of(helpedBy));
  }

  /** Sets aside, and takes back. */
  static final class Reserving implements Reserve {
    private final String name;
    private final List<String> notes;
    private final Function<PodInfo, @Nullable PluginRefusal> answer;

    /**
     * @param notes gets a word for each call, and may be shared
     */
    Reserving(String name, List<String> notes, Function<PodInfo, @Nullable PluginRefusal> answer) {
      this.name = name;
      this.notes = notes;
      this.answer = answer;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public @Nullable PluginRefusal reserve(PodInfo pod, String node) {
      notes.add(name + " +" + pod.name() + "@" + node);
      return answer.apply(pod);
    }

    @Override
    public void unreserve(PodInfo pod, String node) {
      notes.add(name + " -" + pod.name() + "@" + node);
    }
  }

  /** Lets pods go. */
  static final class Permitting implements Permit {
    final List<String> asked = new ArrayList<>();
    Function<PodInfo, Answer> answer;

    Permitting(Function<PodInfo, Answer> answer) {
      this.answer = answer;
    }

    static Permitting waiting(Duration atMost) {
      return new Permitting(_ -> new Answer.Wait(atMost));
    }

    @Override
    public String name() {
      return "permits";
    }

    @Override
    public Answer permit(PodInfo pod, String node) {
      asked.add(pod.name());
      return answer.apply(pod);
    }
  }

  /** Binds by itself. */
  record Binding(String name, BiFunction<PodInfo, String, Outcome> answer) implements Bind {
    @Override
    public Outcome bind(PodInfo pod, String node) {
      return answer.apply(pod, node);
    }
  }

  /** Orders the queue. */
  record Sorting(String name, BiFunction<PodInfo, PodInfo, Integer> order) implements QueueSort {
    @Override
    public int compare(PodInfo first, PodInfo second) {
      return order.apply(first, second);
    }
  }

  /** Throws wherever it is asked, at one point, for pods whose name begins with {@code bad}. */
  record Throwing(String point, Error error)
      implements PreFilter, Filter, PostFilter, Score, Reserve, Permit, Bind {

    @Override
    public String name() {
      return "throws";
    }

    private void at(String now, PodInfo pod) {
      if (now.equals(point) && pod.name().startsWith("bad")) {
        throw error;
      }
    }

    @Override
    public @Nullable PluginRefusal preFilter(PodInfo pod, ClusterView cluster) {
      at("PreFilter", pod);
      return null;
    }

    @Override
    public @Nullable PluginRefusal filter(PodInfo pod, NodeView node) {
      at("Filter", pod);
      return null;
    }

    @Override
    public @Nullable Room postFilter(PodInfo pod, ClusterView cluster) {
      at("PostFilter", pod);
      return null;
    }

    @Override
    public int score(PodInfo pod, NodeView node) {
      at("Score", pod);
      return 0;
    }

    @Override
    public @Nullable PluginRefusal reserve(PodInfo pod, String node) {
      at("Reserve", pod);
      return null;
    }

    @Override
    public void unreserve(PodInfo pod, String node) {
      throw error;
    }

    @Override
    public Answer permit(PodInfo pod, String node) {
      at("Permit", pod);
      return new Answer.Go();
    }

    @Override
    public Outcome bind(PodInfo pod, String node) {
      at("Bind", pod);
      return new Outcome.NotMine();
    }
  }
}
