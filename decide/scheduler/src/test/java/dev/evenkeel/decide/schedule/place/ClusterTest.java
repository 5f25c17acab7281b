package dev.evenkeel.decide.schedule.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.decide.schedule.column.PodCounters;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.place.Placement.Placed;
import dev.evenkeel.decide.schedule.place.Placement.Unplaced;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterTest {

  private final Cluster cluster = new Cluster();
  private final Placer placer = new Placer(Profile.DEFAULT);

  private static String apart(String app, String more) {
    return """
    'affinity': {'podAntiAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': [
      {'topologyKey': 'kubernetes.io/hostname',
       'labelSelector': {'matchLabels': {'app': '%s'}}%s}]}}
    """
        .formatted(app, more);
  }

  private static PodInfo bound(String name, String node, String rules) {
    return Yaml.pod(
        name, "1", "'nodeName': '" + node + "'" + (rules.isEmpty() ? "" : ", " + rules));
  }

  @Test
  void put_ofAPodBeforeItsNode_countsWhenTheNodeComes() {
    cluster.put(bound("early", "a", ""));
    assertThat(cluster.nodes()).isZero();
    cluster.put(Yaml.node("a", "z1"));
    assertThat(placer.place(Yaml.pod("p", "4", ""), cluster)).isInstanceOf(Unplaced.class);
    cluster.removeNode("a");
    cluster.put(Yaml.node("a", "z1"));
    assertThat(placer.place(Yaml.pod("p", "4", ""), cluster)).isInstanceOf(Unplaced.class);
    cluster.removePod("uid-early");
    assertThat(placer.place(Yaml.pod("p", "4", ""), cluster)).isInstanceOf(Placed.class);
  }

  @Test
  void put_takesThePlaceOfAnAssumption() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(Yaml.node("b", "z1"));
    cluster.assume(Yaml.pod("p", "4", ""), "a");
    cluster.put(bound("p", "b", ""));
    cluster.forget("uid-p");
    cluster.assume(Yaml.pod("p", "4", ""), "a");
    assertThat(cluster.nodeOf("uid-p")).isEqualTo("b");
    assertThat(cluster.pods("a")).isEmpty();
    assertThat(cluster.pods()).isEqualTo(1);
  }

  @Test
  void put_ofOneThatAsksSomethingElse_isCountedAnew() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(bound("p", "a", ""));
    assertThat(placer.place(Yaml.pod("q", "1", ""), cluster)).isInstanceOf(Placed.class);
    cluster.put(bound("p", "a", apart("web", "")));
    assertThat(placer.place(Yaml.pod("q", "1", ""), cluster)).isInstanceOf(Unplaced.class);
    cluster.put(bound("p", "a", ""));
    assertThat(placer.place(Yaml.pod("q", "1", ""), cluster)).isInstanceOf(Placed.class);
  }

  @Test
  void put_ofAPodThatEnded_givesBack() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(bound("p", "a", ""));
    cluster.put(
        PodInfo.of(
            Yaml.json(
                "{'metadata': {'name': 'p', 'namespace': 'shop', 'uid': 'uid-p'}, 'spec':"
                    + " {'nodeName': 'a'}, 'status': {'phase': 'Succeeded'}}")));
    assertThat(cluster.pods()).isZero();
  }

  @Test
  void put_ofAPodWithoutNode_isRefused() {
    assertThatThrownBy(() -> cluster.put(Yaml.pod("p", "1", "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("assume()");
  }

  @Test
  void namespaceLabels_thatChange_changeWhatTermsSee() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.assume(Yaml.pod("first", "1", ""), "a");
    PodInfo wanting =
        Yaml.pod("p", "1", apart("web", ", 'namespaceSelector': {'matchLabels': {'team': 'x'}}"));
    assertThat(placer.place(wanting, cluster)).isInstanceOf(Placed.class);
    cluster.putNamespace("shop", Map.of("team", "x"));
    assertThat(placer.place(wanting, cluster)).isInstanceOf(Unplaced.class);
    cluster.removeNamespace("shop");
    assertThat(placer.place(wanting, cluster)).isInstanceOf(Placed.class);
  }

  @Test
  void moreCountersThanAreKept_giveTheSameAnswers() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.assume(Yaml.pod("first", "1m", ""), "a");
    PodInfo apart = Yaml.pod("p", "1m", apart("web", ""));
    for (int i = 0; i <= PodCounters.COUNTERS_MAX; i++) {
      PodInfo other = Yaml.pod("p" + i, "1m", apart("web-" + i, ""));
      assertThat(placer.place(other, cluster)).isInstanceOf(Placed.class);
    }
    assertThat(placer.place(apart, cluster)).isInstanceOf(Unplaced.class);
    cluster.removePod("uid-first");
    assertThat(placer.place(apart, cluster)).isInstanceOf(Placed.class);
  }

  @Test
  void aLaterLook_afterMoreChangesThanAreKept_seesThemAll() {
    cluster.put(Yaml.node("a", "z1"));
    assertThat(placer.place(Yaml.pod("p", "4", ""), cluster)).isInstanceOf(Placed.class);
    PodInfo other = Yaml.pod("other", "1", "");
    for (int i = 0; i < 20_000; i++) {
      cluster.assume(other, "a");
      cluster.forget(other.uid());
    }
    cluster.assume(other, "a");
    assertThat(placer.place(Yaml.pod("p", "4", ""), cluster)).isInstanceOf(Unplaced.class);
  }

  @Test
  void takeReleased_namesTheNodesWhosePodsHaveAnotherPlaceOrNone() {
    PodInfo one = Yaml.pod("one", "1", "");
    PodInfo two = Yaml.pod("two", "1", "");
    PodInfo three = Yaml.pod("three", "1", "");
    cluster.nominate(one, "a");
    cluster.nominate(two, "b");
    cluster.nominate(three, "c");
    assertThat(cluster.takeReleased()).isEmpty();
    // Promised again, given what was promised, and given another.
    cluster.removeNomination(one.uid());
    cluster.nominate(one, "a");
    cluster.assume(two, "b");
    cluster.assume(three, "d");
    assertThat(cluster.takeReleased()).containsExactly("c");
    assertThat(cluster.takeReleased()).isEmpty();
    cluster.nominate(one, "b");
    assertThat(cluster.takeReleased()).containsExactly("a");
    cluster.removePod(one.uid());
    assertThat(cluster.takeReleased()).containsExactly("b");
  }

  @Test
  void place_ofAList_keepsNominations() {
    cluster.put(Yaml.node("a", "z1"));
    PodInfo promised = Yaml.pod("promised", "3", "");
    cluster.nominate(promised, "a");
    assertThat(placer.place(List.of(promised), cluster).getFirst()).isInstanceOf(Placed.class);
    assertThat(placer.place(Yaml.pod("other", "2", ""), cluster)).isInstanceOf(Unplaced.class);
  }
}
