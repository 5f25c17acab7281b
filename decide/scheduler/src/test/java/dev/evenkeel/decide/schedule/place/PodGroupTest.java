package dev.evenkeel.decide.schedule.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.judge.PluginNames;
import dev.evenkeel.decide.schedule.model.PodGroup;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.place.Placement.Placed;
import dev.evenkeel.decide.schedule.place.Placement.Unplaced;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodGroupTest {

  private final Cluster cluster = new Cluster();
  private final Placer placer = new Placer(Profile.DEFAULT);
  private final List<PodInfo> three = List.of(member("one"), member("two"), member("three"));

  private static PodInfo member(String name) {
    return Yaml.pod(name, "'evenkeel.dev/pod-group': 'train'", "3", "");
  }

  private List<Placement> place(int minimum, int bound) {
    return placer.place(new PodGroup("shop", "train", minimum), three, bound, cluster);
  }

  @Test
  void group_isReadFromTheLabel() {
    assertThat(three.getFirst().group()).isEqualTo("train");
  }

  @Test
  void place_ofAllPlacesAll() {
    for (String name : List.of("a", "b", "c")) {
      cluster.put(Yaml.node(name, "z1"));
    }
    assertThat(place(3, 0)).hasOnlyElementsOfType(Placed.class);
  }

  @Test
  void place_ofTooFewPlacesNone_andLeavesTheRoomToOthers() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(Yaml.node("b", "z1"));
    List<Placement> placements = place(3, 0);
    assertThat(placements).hasOnlyElementsOfType(Unplaced.class);
    Unplaced first = (Unplaced) placements.getFirst();
    assertThat(first.message())
        .isEqualTo("pod group \"train\" needs 3 pods at once, there is room for 2.");
    assertThat(first.helpedBy()).contains(WakeOn.GROUP, WakeOn.POD_REMOVED, WakeOn.NODE_ADDED);
    assertThat(first.evaluation().rejections())
        .anySatisfy(each -> assertThat(each.stage()).isEqualTo(PluginNames.POD_GROUP));
    assertThat(((Unplaced) placements.getLast()).message()).contains("Insufficient cpu");
    assertThat(cluster.pods()).isZero();
  }

  @Test
  void place_ofEnoughPlacesThose_andCountsWhoIsThere() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(Yaml.node("b", "z1"));
    assertThat(place(2, 0).stream().filter(Placed.class::isInstance)).hasSize(2);
    assertThat(place(3, 1).stream().filter(Placed.class::isInstance)).hasSize(2);
    assertThat(place(4, 1)).hasOnlyElementsOfType(Unplaced.class);
  }
}
