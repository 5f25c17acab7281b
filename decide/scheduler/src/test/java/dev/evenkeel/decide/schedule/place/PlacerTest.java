package dev.evenkeel.decide.schedule.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.judge.PluginNames;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.place.Placement.Placed;
import dev.evenkeel.decide.schedule.place.Placement.Unplaced;
import dev.evenkeel.explain.record.Decision.Rejection;
import dev.evenkeel.explain.record.Decision.Score;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacerTest {

  private final Cluster cluster = new Cluster();
  private final Placer placer = new Placer(Profile.DEFAULT);

  @Test
  void place_prefersTheEmptierNode() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(Yaml.node("b", "z1"));
    cluster.assume(Yaml.pod("first", "2", ""), "a");

    Placement placement = placer.place(Yaml.pod("second", "1", ""), cluster);

    assertThat(placement).isInstanceOf(Placed.class);
    Placed placed = (Placed) placement;
    assertThat(placed.node()).isEqualTo("b");
    assertThat(placed.alternatives()).containsExactly("a");
    assertThat(placed.evaluation().rejections()).isEmpty();
    Score best = placed.evaluation().scores().getFirst();
    assertThat(best.candidate()).isEqualTo("b");
    assertThat(best.parts())
        .contains(
            new Score.Part(PluginNames.NODE_RESOURCES_FIT, 81),
            new Score.Part(PluginNames.TAINT_TOLERATION, 300));
    assertThat(best.total()).isEqualTo(best.parts().stream().mapToDouble(Score.Part::points).sum());
  }

  @Test
  void place_saysWhichConstraintRejectedHowManyNodes() {
    for (int i = 0; i < 5; i++) {
      cluster.put(Yaml.node("full-" + i, "z1"));
      cluster.assume(Yaml.pod("big-" + i, "4", ""), "full-" + i);
    }
    cluster.put(
        Yaml.node(
            "gpu",
            "z1",
            "'taints': [{'key': 'dedicated', 'value': 'gpu', 'effect': 'NoSchedule'}]"));
    cluster.put(Yaml.node("closed", "z1", "'unschedulable': true"));

    Unplaced unplaced = (Unplaced) placer.place(Yaml.pod("late", "1", ""), cluster);

    assertThat(unplaced.message())
        .startsWith(
            "0/7 nodes are available: 1 node(s) had untolerated taint {dedicated: gpu}, 1 node(s)"
                + " were unschedulable, 5 Insufficient cpu.");
    assertThat(unplaced.evaluation().rejections())
        .contains(
            new Rejection(
                PluginNames.NODE_RESOURCES_FIT,
                "Insufficient cpu",
                5,
                List.of("full-0", "full-1", "full-2")));
    assertThat(unplaced.helpedBy())
        .contains(WakeOn.POD_REMOVED, WakeOn.NODE_TAINTS, WakeOn.NODE_ADDED)
        .doesNotContain(WakeOn.CLAIM);
  }

  @Test
  void place_ofAListSeesThoseBefore_andLeavesNothing() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(Yaml.node("b", "z1"));
    List<PodInfo> pods =
        List.of(Yaml.pod("one", "3", ""), Yaml.pod("two", "3", ""), Yaml.pod("three", "3", ""));

    List<Placement> placements = placer.place(pods, cluster);

    assertThat(placements.subList(0, 2)).hasOnlyElementsOfType(Placed.class);
    assertThat(placements.getLast()).isInstanceOf(Unplaced.class);
    assertThat(cluster.pods()).isZero();
    assertThat(placer.place(pods.getFirst(), cluster)).isInstanceOf(Placed.class);
  }

  @Test
  void place_ofAGatedPodNamesTheGates() {
    cluster.put(Yaml.node("a", "z1"));
    Unplaced unplaced =
        (Unplaced)
            placer.place(
                Yaml.pod("p", "1", "'schedulingGates': [{'name': 'example/wait'}]"), cluster);
    assertThat(unplaced.message()).contains("scheduling gates").contains("example/wait");
    assertThat(unplaced.helpedBy()).containsExactly(WakeOn.GATE);
  }

  @Test
  void place_withoutNodesSaysSo() {
    Unplaced unplaced = (Unplaced) placer.place(Yaml.pod("p", "1", ""), cluster);
    assertThat(unplaced.message()).isEqualTo("no nodes available to schedule pods");
  }
}
