package dev.evenkeel.decide.schedule.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.judge.PluginNames;
import dev.evenkeel.decide.schedule.judge.ResourceStrategy;
import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.place.Placement.Placed;
import dev.evenkeel.explain.record.Decision.Score;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StrategiesTest {

  private final Cluster cluster = new Cluster();

  private Placed place(Profile profile, PodInfo pod) {
    return (Placed) new Placer(profile).place(pod, cluster);
  }

  private static double fit(Placed placed) {
    return placed.evaluation().scores().getFirst().parts().stream()
        .filter(part -> part.judge().equals(PluginNames.NODE_RESOURCES_FIT))
        .mapToDouble(Score.Part::points)
        .sum();
  }

  @Test
  void most_prefersTheFullerNode() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(Yaml.node("b", "z1"));
    cluster.assume(Yaml.pod("first", "1", ""), "a");
    Profile most = Profile.DEFAULT.withStrategy(ResourceStrategy.MOST_ALLOCATED);
    Placed placed = place(most, Yaml.pod("p", "1", ""));
    assertThat(placed.node()).isEqualTo("a");
    // The mean of half of the processors and a quarter of the memory, rounded down.
    assertThat(fit(placed)).isEqualTo(37);
  }

  @Test
  void ratio_followsItsCurve() {
    cluster.put(Yaml.node("a", "z1"));
    var strategy =
        new ResourceStrategy(
            ResourceStrategy.Kind.RATIO,
            List.of(new ResourceStrategy.Part("cpu", 1)),
            List.of(
                new ResourceStrategy.Point(0, 0),
                new ResourceStrategy.Point(50, 10),
                new ResourceStrategy.Point(100, 2)));
    Profile profile = Profile.DEFAULT.withStrategy(strategy);
    assertThat(fit(place(profile, Yaml.pod("p", "1", "")))).isEqualTo(50);
    assertThat(fit(place(profile, Yaml.pod("p", "2", "")))).isEqualTo(100);
    assertThat(fit(place(profile, Yaml.pod("p", "3", "")))).isEqualTo(60);
    assertThat(fit(place(profile, Yaml.pod("p", "4", "")))).isEqualTo(20);
  }

  @Test
  void weight_decidesWhoseScoreCounts() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(
        Yaml.node(
            "b", "z1", "'taints': [{'key': 'slow', 'value': '', 'effect': 'PreferNoSchedule'}]"));
    cluster.assume(Yaml.pod("first", "2", ""), "a");
    assertThat(place(Profile.DEFAULT, Yaml.pod("p", "1", "")).node()).isEqualTo("a");
    Profile deaf = Profile.DEFAULT.withWeight(PluginNames.TAINT_TOLERATION, 0);
    assertThat(place(deaf, Yaml.pod("p", "1", "")).node()).isEqualTo("b");
  }

  private static NodeInfo withImage(String name, int megabytes) {
    return NodeInfo.of(
        Yaml.json(
            """
            {'metadata': {'name': '%s'}, 'status': {
              'allocatable': {'cpu': '4', 'memory': '8Gi', 'pods': '10'},
              'images': [{'names': ['web:1'], 'sizeBytes': %d}]}}
            """
                .formatted(name, megabytes * 1024L * 1024)));
  }

  @Test
  void image_isWorthMoreWhereItIsCommon_alsoOnNodesThatDidNotChange() {
    cluster.put(withImage("large", 1000));
    for (int i = 0; i < 300; i++) {
      cluster.put(Yaml.node("n" + i, "z1"));
    }
    var placer = new Placer(Profile.DEFAULT);
    PodInfo pod = Yaml.pod("p", "1", "");
    Placed before = (Placed) placer.place(pod, cluster);
    assertThat(before.evaluation().scores().getFirst().parts())
        .noneMatch(part -> part.judge().equals(PluginNames.IMAGE_LOCALITY));
    for (int i = 100; i < 300; i++) {
      cluster.put(withImage("n" + i, 1));
    }
    assertThat(((Placed) placer.place(pod, cluster)).node()).isEqualTo("large");
  }

  @Test
  void equals_areChosenByThePod_soThatTheyAllGetSome() {
    for (int i = 0; i < 50; i++) {
      cluster.put(Yaml.node("n" + i, "z1"));
    }
    var placer = new Placer(Profile.DEFAULT);
    Set<String> chosen = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      PodInfo pod = Yaml.pod("pod-" + i, "1m", "");
      String node = ((Placed) placer.place(pod, cluster)).node();
      assertThat(((Placed) placer.place(pod, cluster)).node()).isEqualTo(node);
      chosen.add(node);
    }
    assertThat(chosen).hasSizeGreaterThan(20);
  }
}
