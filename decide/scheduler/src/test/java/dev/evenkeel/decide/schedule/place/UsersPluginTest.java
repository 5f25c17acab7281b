package dev.evenkeel.decide.schedule.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.place.Placement.Placed;
import dev.evenkeel.decide.schedule.place.Placement.Unplaced;
import dev.evenkeel.decide.schedule.plugin.SchedulerPlugin;
import dev.evenkeel.explain.record.Decision.Score;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class UsersPluginTest {

  private final Cluster cluster = new Cluster();
  private final Placer placer =
      new Placer(Profile.DEFAULT.withPlugins(SchedulerPlugin.installed()));

  @Test
  void plugins_areFoundAsServices() {
    assertThat(SchedulerPlugin.installed()).hasOnlyElementsOfType(UsersPlugin.class).hasSize(1);
  }

  @Test
  void filterAndScore_judgeBesideWhatIsBuiltIn() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(Yaml.node("b", "z1"));
    cluster.assume(Yaml.pod("first", "1", ""), "a");
    Placed second = (Placed) placer.place(Yaml.pod("second", "1", ""), cluster);
    assertThat(second.node()).isEqualTo("a");
    assertThat(second.evaluation().scores().getFirst().parts())
        .contains(new Score.Part("AtMostTwo", 1000));
    cluster.assume(second.pod(), "a");
    Placed third = (Placed) placer.place(Yaml.pod("third", "1", ""), cluster);
    assertThat(third.node()).isEqualTo("b");
    assertThat(third.evaluation().rejections())
        .singleElement()
        .satisfies(each -> assertThat(each.reason()).isEqualTo("node(s) had two pods"));
  }

  @Test
  void filter_hasItsSayWhenPodsAreRemoved() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.assume(Yaml.pod("one", "1m", ""), "a");
    cluster.assume(Yaml.pod("two", "1m", ""), "a");
    Unplaced unplaced = (Unplaced) placer.place(Yaml.pod("p", "1m", "'priority': 10"), cluster);
    assertThat(unplaced.helpedBy()).contains(WakeOn.POD_REMOVED);
    assertThat(Objects.requireNonNull(unplaced.preemption()).victims())
        .extracting(PodInfo::name)
        .containsExactly("two");
  }

  @Test
  void preFilter_refusesThePod() {
    cluster.put(Yaml.node("a", "z1"));
    Unplaced unplaced = (Unplaced) placer.place(Yaml.pod("p", "'banned': 'yes'", "1", ""), cluster);
    assertThat(unplaced.message()).startsWith("0/1 nodes are available: the pod is banned.");
    assertThat(unplaced.helpedBy()).containsExactly(WakeOn.ANYTHING);
  }

  @Test
  void postFilter_makesRoomWhereNobodyElseWould() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.assume(Yaml.pod("equal", "4", ""), "a");
    assertThat(((Unplaced) placer.place(Yaml.pod("p", "1", ""), cluster)).preemption()).isNull();
    Unplaced pushy = (Unplaced) placer.place(Yaml.pod("p", "'pushy': 'yes'", "1", ""), cluster);
    assertThat(pushy.preemption())
        .isEqualTo(new Preemption("a", List.of(Yaml.pod("equal", "4", "")), 0));
  }
}
