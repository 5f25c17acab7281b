package dev.evenkeel.decide.schedule.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.model.Budget;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.place.Placement.Placed;
import dev.evenkeel.decide.schedule.place.Placement.Unplaced;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PreemptionTest {

  private final Cluster cluster = new Cluster();
  private final Placer placer = new Placer(Profile.DEFAULT);

  private static PodInfo pod(String name, String cpu, int priority) {
    return Yaml.pod(name, cpu, "'priority': " + priority);
  }

  private Preemption preemption(PodInfo pod) {
    return Objects.requireNonNull(((Unplaced) placer.place(pod, cluster)).preemption());
  }

  @Test
  void victims_areTheFewest_andTheLeastImportant() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.assume(pod("low", "1", 1), "a");
    cluster.assume(pod("middle", "1", 5), "a");
    cluster.assume(pod("high", "2", 50), "a");
    Preemption preemption = preemption(pod("new", "1", 10));
    assertThat(preemption.node()).isEqualTo("a");
    assertThat(preemption.victims()).extracting(PodInfo::name).containsExactly("low");
    assertThat(preemption(pod("newer", "2", 10)).victims())
        .extracting(PodInfo::name)
        .containsExactly("middle", "low");
    assertThat(cluster.pods()).isEqualTo(3);
  }

  @Test
  void never_isNever() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.assume(pod("low", "4", 0), "a");
    Unplaced unplaced =
        (Unplaced)
            placer.place(
                Yaml.pod("new", "1", "'priority': 10, 'preemptionPolicy': 'Never'"), cluster);
    assertThat(unplaced.preemption()).isNull();
    assertThat(unplaced.message())
        .endsWith("preemption: not eligible due to preemptionPolicy=Never.");
  }

  @Test
  void budgets_areKeptWhereThereIsAChoice_alsoAfterTheyChanged() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(Yaml.node("b", "z1"));
    cluster.assume(Yaml.pod("guarded", "'app': 'web'", "4", "'priority': 0"), "a");
    cluster.assume(Yaml.pod("free", "'app': 'db'", "4", "'priority': 5"), "b");
    PodInfo wanting = pod("new", "1", 10);
    assertThat(preemption(wanting).node()).isEqualTo("a");

    cluster.put(budget(0));
    assertThat(preemption(wanting).node()).isEqualTo("b");
    cluster.put(budget(1));
    assertThat(preemption(wanting).node()).isEqualTo("a");
    cluster.put(budget(0));
    cluster.removePod("uid-free");
    cluster.assume(pod("important", "4", 100), "b");
    assertThat(preemption(wanting))
        .satisfies(
            last -> {
              assertThat(last.node()).isEqualTo("a");
              assertThat(last.violations()).isEqualTo(1);
            });
    cluster.removeBudget("shop/web");
    assertThat(preemption(wanting).violations()).isZero();
  }

  private static Budget budget(int allowed) {
    return Budget.of(
        Yaml.json(
            """
            {'metadata': {'namespace': 'shop', 'name': 'web'},
             'spec': {'selector': {'matchLabels': {'app': 'web'}}},
             'status': {'disruptionsAllowed': %d}}
            """
                .formatted(allowed)));
  }

  @Test
  void nominated_countForTheirEqualsOnly() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.nominate(pod("promised", "3", 10), "a");
    assertThat(placer.place(pod("equal", "2", 10), cluster)).isInstanceOf(Unplaced.class);
    assertThat(placer.place(pod("small", "1", 10), cluster)).isInstanceOf(Placed.class);
    assertThat(placer.place(pod("higher", "2", 11), cluster)).isInstanceOf(Placed.class);
    assertThat(placer.place(pod("promised", "3", 10), cluster)).isInstanceOf(Placed.class);
    cluster.removeNomination("uid-promised");
    assertThat(placer.place(pod("equal", "2", 10), cluster)).isInstanceOf(Placed.class);
  }

  @Test
  void room_thatIsPromisedSinceTheLastLook_isNotMadeTwice() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.assume(pod("low", "4", 0), "a");
    PodInfo wanting = pod("new", "3", 10);
    assertThat(preemption(wanting).victims()).hasSize(1);
    cluster.nominate(pod("promised", "3", 10), "a");
    Unplaced unplaced = (Unplaced) placer.place(wanting, cluster);
    assertThat(unplaced.preemption()).isNull();
    assertThat(unplaced.message())
        .endsWith(
            "preemption: 0/1 nodes are available: 1 node(s) had room held for nominated pods.");
    assertThat(unplaced.helpedBy()).contains(WakeOn.ROOM_RELEASED);
    cluster.removeNomination("uid-promised");
    assertThat(preemption(wanting).victims()).hasSize(1);
  }

  @Test
  void nominatedNode_isWaitedForWhileItsPodsGo() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(Yaml.node("b", "z1"));
    cluster.assume(pod("other", "4", 0), "b");
    cluster.put(
        PodInfo.of(
            Yaml.json(
                """
                {'metadata': {'name': 'going', 'namespace': 'shop', 'uid': 'going',
                   'deletionTimestamp': '2026-01-01T00:00:00Z'},
                 'spec': {'nodeName': 'a', 'containers': [{'resources': {'requests': {
                   'cpu': '4', 'memory': '1Gi'}}}]},
                 'status': {'conditions': [{'type': 'DisruptionTarget', 'status': 'True',
                   'reason': 'PreemptionByScheduler'}]}}
                """)));
    PodInfo waiting =
        PodInfo.of(
            Yaml.json(
                """
                {'metadata': {'name': 'p', 'namespace': 'shop', 'uid': 'p'},
                 'spec': {'priority': 10, 'containers': [{'resources': {'requests': {
                   'cpu': '4', 'memory': '1Gi'}}}]},
                 'status': {'nominatedNodeName': 'a'}}
                """));
    Unplaced unplaced = (Unplaced) placer.place(waiting, cluster);
    assertThat(unplaced.preemption()).isNull();
    assertThat(unplaced.message())
        .endsWith("preemption: not eligible due to a terminating pod on the nominated node.");
  }

  @Test
  void nominated_changeTheEmptiestDomainToo() {
    // Its own domain is the only one with the least: what is promised there makes another the
    // least.
    String spread =
        "'topologySpreadConstraints': [{'maxSkew': 1, 'whenUnsatisfiable': 'DoNotSchedule',"
            + " 'topologyKey': 'topology.kubernetes.io/zone', 'labelSelector': {'matchLabels':"
            + " {'app': 'web'}}}]";
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(Yaml.node("b", "z2", "'unschedulable': true"));
    cluster.assume(pod("one", "1m", 0), "b");
    cluster.nominate(pod("promised", "1m", 0), "a");
    assertThat(placer.place(Yaml.pod("p", "1m", spread), cluster)).isInstanceOf(Placed.class);
    cluster.nominate(pod("also", "1m", 0), "a");
    assertThat(placer.place(Yaml.pod("p", "1m", spread), cluster)).isInstanceOf(Unplaced.class);
  }
}
