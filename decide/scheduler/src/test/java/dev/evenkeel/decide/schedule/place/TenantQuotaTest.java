package dev.evenkeel.decide.schedule.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.judge.PluginNames;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.place.Placement.Placed;
import dev.evenkeel.decide.schedule.place.Placement.Unplaced;
import dev.evenkeel.decide.schedule.tenant.TenantQuota;
import dev.evenkeel.explain.record.Decision.Rejection;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Zones of which a namespace may have no more. */
class TenantQuotaTest {

  private final Cluster cluster = new Cluster();
  private final Placer placer = new Placer(Profile.DEFAULT);

  TenantQuotaTest() {
    cluster.put(Yaml.node("a", "z1"));
    cluster.put(Yaml.node("b", "z2"));
  }

  private void quota(String name, String zone, String hard, String used) {
    cluster
        .tenants()
        .put(
            TenantQuota.of(
                Yaml.json(
                    """
                    {'metadata': {'name': '%s', 'namespace': 'shop', 'resourceVersion': '5'},
                     'spec': {'zone': '%s', 'hard': {%s}}, 'status': {'used': {%s}}}
                    """
                        .formatted(name, zone, hard, used))));
  }

  private Placed placed(PodInfo pod) {
    return (Placed) placer.place(pod, cluster);
  }

  private Unplaced unplaced(PodInfo pod) {
    return (Unplaced) placer.place(pod, cluster);
  }

  @Test
  void zoneWithoutRoom_isRejected_andSaysOfWhat() {
    quota("in-z1", "z1", "'cpu': '3', 'memory': '8Gi'", "'cpu': '2500m', 'memory': '8Gi'");
    assertThat(placed(Yaml.pod("p", "1", "")).node()).isEqualTo("b");
    quota("in-z2", "z2", "'pods': '0'", "");
    Unplaced held = unplaced(Yaml.pod("p", "1", ""));
    assertThat(held.evaluation().rejections())
        .extracting(Rejection::reason)
        .containsExactlyInAnyOrder(
            "quota/in-z1: 2500m of 3 cpu used, 8Gi of 8Gi memory used",
            "quota/in-z2: 0 of 0 pods used");
    assertThat(held.evaluation().rejections())
        .allMatch(each -> each.stage().equals(PluginNames.TENANT_QUOTA) && each.count() == 1);
    assertThat(held.helpedBy()).contains(WakeOn.QUOTA);
    assertThat(held.heldBy()).containsExactlyInAnyOrder("shop/in-z1", "shop/in-z2");
  }

  @Test
  void assumedPods_countBeforeTheStatusShowsThem() {
    quota("in-z1", "z1", "'pods': '1'", "");
    quota("in-z2", "z2", "'pods': '1'", "");
    String first = placed(Yaml.pod("p1", "1", "")).node();
    cluster.assume(Yaml.pod("p1", "1", ""), first);
    String second = placed(Yaml.pod("p2", "1", "")).node();
    assertThat(second).isNotEqualTo(first);
    cluster.assume(Yaml.pod("p2", "1", ""), second);
    assertThat(unplaced(Yaml.pod("p3", "1", "")).heldBy()).hasSize(2);
    assertThat(cluster.tenants().takeFreed()).isEmpty();
    cluster.forget("uid-p1");
    assertThat(cluster.tenants().takeFreed()).hasSize(1);
    assertThat(placed(Yaml.pod("p3", "1", "")).node()).isEqualTo(first);
  }

  @Test
  void quotaOverPodsThatAreThere_andNodesThatMove_countThemWhereTheyAre() {
    cluster.assume(Yaml.pod("p1", "1", ""), "a");
    quota("in-z1", "z1", "'pods': '1'", "");
    assertThat(placed(Yaml.pod("p2", "1", "")).node()).isEqualTo("b");
    // It turns out that the node is in the other zone: the first one is free, and has no node.
    cluster.put(Yaml.node("a", "z2"));
    assertThat(cluster.tenants().takeFreed()).containsExactly("shop/in-z1");
    quota("in-z2", "z2", "'pods': '1'", "");
    assertThat(unplaced(Yaml.pod("p2", "1", "")).heldBy()).containsExactly("shop/in-z2");
  }

  @Test
  void statusThatFalls_isNothingWhileMoreIsSeen() {
    cluster.assume(Yaml.pod("p1", "1", ""), "a");
    quota("all", "", "'pods': '1'", "'pods': '2'");
    quota("all", "", "'pods': '1'", "'pods': '0'");
    assertThat(unplaced(Yaml.pod("p2", "1", "")).heldBy()).containsExactly("shop/all");
    assertThat(cluster.tenants().takeFreed()).containsExactly("shop/all");
    cluster.tenants().remove("shop/all");
    assertThat(cluster.tenants().takeFreed()).containsExactly("shop/all");
    assertThat(placer.place(Yaml.pod("p2", "1", ""), cluster)).isInstanceOf(Placed.class);
  }

  @Test
  void whatARefusalTaught_countsUntilThePictureShowsIt() {
    quota("all", "", "'pods': '3'", "");
    cluster.tenants().taught("shop/all", "pods", 3, 40);
    assertThat(unplaced(Yaml.pod("p", "1", "")).message())
        .startsWith("0/2 nodes are available: 2 quota/all: 3 of 3 pods used.");
    cluster.tenants().shown(39);
    assertThat(unplaced(Yaml.pod("p", "1", "")).heldBy()).hasSize(1);
    cluster.tenants().shown(40);
    assertThat(cluster.tenants().takeFreed()).containsExactly("shop/all");
    assertThat(placer.place(Yaml.pod("p", "1", ""), cluster)).isInstanceOf(Placed.class);
  }

  @Test
  void nobodyIsRemoved_whereTheShareIsWhatLacks() {
    for (String node : new String[] {"a", "b"}) {
      cluster.assume(Yaml.pod("low-" + node, "4", "'priority': 1"), node);
    }
    quota("in-z1", "z1", "'pods': '0'", "");
    Unplaced wanting = unplaced(Yaml.pod("new", "1", "'priority': 10"));
    assertThat(Objects.requireNonNull(wanting.preemption()).node()).isEqualTo("b");
    quota("in-z2", "z2", "'pods': '0'", "");
    assertThat(unplaced(Yaml.pod("new", "1", "'priority': 10")).preemption()).isNull();
  }

  @Test
  void otherNamespaces_areNotConcerned() {
    cluster
        .tenants()
        .put(
            TenantQuota.of(
                Yaml.json(
                    "{'metadata': {'name': 'q', 'namespace': 'other'}, 'spec': {'hard': {'pods':"
                        + " '0'}}}")));
    assertThat(placer.place(Yaml.pod("p", "1", ""), cluster)).isInstanceOf(Placed.class);
  }
}
