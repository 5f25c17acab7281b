package dev.evenkeel.decide.schedule.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.judge.PluginNames;
import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.place.Placement.Placed;
import dev.evenkeel.decide.schedule.place.Placement.Unplaced;
import dev.evenkeel.decide.schedule.volume.Claim;
import dev.evenkeel.decide.schedule.volume.StorageClass;
import dev.evenkeel.decide.schedule.volume.Volume;
import dev.evenkeel.explain.record.Decision.Rejection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each reason for which a node is rejected, provoked, and what can help with it. */
class RejectionsTest {

  private final Cluster cluster = new Cluster();
  private final Placer placer = new Placer(Profile.DEFAULT);

  private void expect(PodInfo pod, String stage, String reason, WakeOn... helps) {
    Placement placement = placer.place(pod, cluster);
    assertThat(placement).isInstanceOf(Unplaced.class);
    Unplaced unplaced = (Unplaced) placement;
    assertThat(unplaced.evaluation().rejections().stream().map(Rejection::reason))
        .containsExactly(reason);
    assertThat(unplaced.evaluation().rejections().getFirst().stage()).isEqualTo(stage);
    assertThat(unplaced.evaluation().rejections().getFirst().count()).isEqualTo(cluster.nodes());
    assertThat(unplaced.message()).startsWith("0/" + cluster.nodes() + " nodes are available: ");
    assertThat(unplaced.message()).contains(reason);
    assertThat(unplaced.helpedBy()).contains(helps);
  }

  private void oneNode() {
    cluster.put(Yaml.node("a", "z1"));
  }

  @Test
  void unschedulable() {
    cluster.put(Yaml.node("a", "z1", "'unschedulable': true"));
    expect(
        Yaml.pod("p", "1", ""),
        PluginNames.NODE_UNSCHEDULABLE,
        "node(s) were unschedulable",
        WakeOn.NODE_TAINTS);
  }

  @Test
  void otherName() {
    oneNode();
    expect(
        Yaml.pod("p", "1", "'nodeName': 'elsewhere'"),
        PluginNames.NODE_NAME,
        "node(s) didn't match the requested node name",
        WakeOn.NODE_ADDED);
  }

  @Test
  void taint() {
    cluster.put(
        Yaml.node("a", "z1", "'taints': [{'key': 'k', 'value': 'v', 'effect': 'NoExecute'}]"));
    expect(
        Yaml.pod("p", "1", ""),
        PluginNames.TAINT_TOLERATION,
        "node(s) had untolerated taint {k: v}",
        WakeOn.NODE_TAINTS);
  }

  @Test
  void selector() {
    oneNode();
    expect(
        Yaml.pod("p", "1", "'nodeSelector': {'disk': 'ssd'}"),
        PluginNames.NODE_AFFINITY,
        "node(s) didn't match Pod's node affinity/selector",
        WakeOn.NODE_LABELS);
  }

  @Test
  void ports() {
    oneNode();
    String ports =
        "'initContainers': [{'restartPolicy': 'Always', 'ports': [{'hostPort': 80}], 'resources':"
            + " {'requests': {'cpu': '1m', 'memory': '1Mi'}}}]";
    cluster.assume(Yaml.pod("first", "1", ports), "a");
    expect(
        Yaml.pod("p", "1", ports),
        PluginNames.NODE_PORTS,
        "node(s) didn't have free ports for the requested pod ports",
        WakeOn.POD_REMOVED);
  }

  @Test
  void unreported() {
    cluster.put(NodeInfo.of(Yaml.json("{'metadata': {'name': 'a'}}")));
    expect(
        Yaml.pod("p", "1", ""),
        PluginNames.NODE_RESOURCES_FIT,
        "node(s) had not reported what is allocatable",
        WakeOn.NODE_ALLOCATABLE);
  }

  @Test
  void insufficient() {
    oneNode();
    cluster.assume(Yaml.pod("first", "3500m", ""), "a");
    expect(
        Yaml.pod("p", "1", ""),
        PluginNames.NODE_RESOURCES_FIT,
        "Insufficient cpu",
        WakeOn.POD_REMOVED,
        WakeOn.NODE_ALLOCATABLE);
  }

  @Test
  void tooManyPods() {
    oneNode();
    for (int i = 0; i < 10; i++) {
      cluster.assume(Yaml.pod("pod-" + i, "1m", "'overhead': {'memory': '-1Gi'}"), "a");
    }
    expect(
        Yaml.pod("p", "1m", "'overhead': {'memory': '-1Gi'}"),
        PluginNames.NODE_RESOURCES_FIT,
        "Too many pods",
        WakeOn.POD_REMOVED);
  }

  @Test
  void largerThanTheNode_isNotHelpedByPodsThatGo() {
    oneNode();
    Unplaced unplaced = (Unplaced) placer.place(Yaml.pod("p", "5", ""), cluster);
    assertThat(unplaced.helpedBy()).doesNotContain(WakeOn.POD_REMOVED);
    assertThat(unplaced.message())
        .isEqualTo(
            "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1"
                + " Preemption is not helpful for scheduling.");
  }

  private static String spread(String key) {
    return "'topologySpreadConstraints': [{'maxSkew': 1, 'topologyKey': '"
        + key
        + "', 'whenUnsatisfiable': 'DoNotSchedule', 'labelSelector': {'matchLabels': {'app':"
        + " 'web'}}, 'minDomains': 2}]";
  }

  @Test
  void spreadWithoutLabel() {
    oneNode();
    expect(
        Yaml.pod("p", "1", spread("rack")),
        PluginNames.POD_TOPOLOGY_SPREAD,
        "node(s) didn't match pod topology spread constraints (missing required label)",
        WakeOn.NODE_LABELS);
  }

  @Test
  void spreadTooUneven() {
    oneNode();
    cluster.assume(Yaml.pod("first", "1", ""), "a");
    expect(
        Yaml.pod("p", "1", spread("topology.kubernetes.io/zone")),
        PluginNames.POD_TOPOLOGY_SPREAD,
        "node(s) didn't match pod topology spread constraints",
        WakeOn.POD_REMOVED,
        WakeOn.NODE_ADDED);
  }

  private static String affinity(String kind, String app) {
    return """
    'affinity': {'%s': {'requiredDuringSchedulingIgnoredDuringExecution': [
      {'topologyKey': 'topology.kubernetes.io/zone',
       'labelSelector': {'matchLabels': {'app': '%s'}}}]}}
    """
        .formatted(kind, app);
  }

  @Test
  void notNear() {
    oneNode();
    expect(
        Yaml.pod("p", "1", affinity("podAffinity", "db")),
        PluginNames.INTER_POD_AFFINITY,
        "node(s) didn't match pod affinity rules",
        WakeOn.POD_ADDED_OR_LABELED);
  }

  @Test
  void nearItsOwnKind_isTrueForTheFirst() {
    oneNode();
    assertThat(placer.place(Yaml.pod("p", "1", affinity("podAffinity", "web")), cluster))
        .isInstanceOf(Placed.class);
  }

  @Test
  void notApart() {
    oneNode();
    cluster.assume(Yaml.pod("first", "1", ""), "a");
    expect(
        Yaml.pod("p", "1", affinity("podAntiAffinity", "web")),
        PluginNames.INTER_POD_AFFINITY,
        "node(s) didn't match pod anti-affinity rules",
        WakeOn.POD_REMOVED);
  }

  @Test
  void othersWantToBeApart() {
    oneNode();
    cluster.assume(Yaml.pod("first", "'app': 'db'", "1", affinity("podAntiAffinity", "web")), "a");
    expect(
        Yaml.pod("p", "1", ""),
        PluginNames.INTER_POD_AFFINITY,
        "node(s) didn't satisfy existing pods anti-affinity rules",
        WakeOn.POD_REMOVED);
  }

  private static PodInfo member(String name, String cpu) {
    return Yaml.pod(name, "'evenkeel.dev/pod-group': 'train'", cpu, "");
  }

  @Test
  void roomHeldForNominatedPods() {
    oneNode();
    cluster.nominate(Yaml.pod("promised", "2", ""), "a");
    cluster.nominate(Yaml.pod("promised-too", "1", ""), "a");
    expect(
        Yaml.pod("p", "2", ""),
        PluginNames.HELD_ROOM,
        "node(s) had room held for nominated pods",
        WakeOn.ROOM_RELEASED,
        WakeOn.POD_REMOVED,
        WakeOn.NODE_ALLOCATABLE);
  }

  @Test
  void roomHeldForAGroup_isCountedByGroup_apartFromWhatIsFull() {
    for (String name : List.of("a", "b", "c", "d")) {
      cluster.put(Yaml.node(name, "z1"));
    }
    cluster.assume(Yaml.pod("full", "4", ""), "a");
    // Also promised to somebody, which changes nothing: it is too full for the pod anyway.
    cluster.nominate(member("one", "3"), "a");
    cluster.nominate(member("two", "3"), "b");
    cluster.nominate(member("three", "3"), "c");
    cluster.nominate(Yaml.pod("promised", "1", ""), "c");
    cluster.nominate(Yaml.pod("promised-too", "3", ""), "d");
    Unplaced unplaced = (Unplaced) placer.place(Yaml.pod("p", "2", ""), cluster);
    assertThat(unplaced.message())
        .startsWith(
            "0/4 nodes are available: 1 Insufficient cpu, 2 node(s) had room held for nominated"
                + " pods, 2 node(s) had room held for pod group \"shop/train\". preemption: ");
  }

  @Test
  void roomHeld_helpsNobodyWhoWouldNotFitWithoutIt() {
    oneNode();
    cluster.assume(Yaml.pod("full", "4", ""), "a");
    cluster.nominate(member("one", "3"), "a");
    Unplaced unplaced = (Unplaced) placer.place(Yaml.pod("p", "2", ""), cluster);
    assertThat(unplaced.helpedBy()).doesNotContain(WakeOn.ROOM_RELEASED);
  }

  private static PodInfo claiming() {
    return Yaml.pod(
        "p", "1", "'volumes': [{'name': 'v', 'persistentVolumeClaim': {'claimName': 'data'}}]");
  }

  private void claim(String spec, String phase) {
    cluster
        .claims()
        .put(
            Claim.of(
                Yaml.json(
                    """
                    {'metadata': {'namespace': 'shop', 'name': 'data'},
                     'spec': {'storageClassName': 'fast', 'accessModes': ['ReadWriteOnce'],
                       'resources': {'requests': {'storage': '10Gi'}}%s},
                     'status': {'phase': '%s'}}
                    """
                        .formatted(spec, phase))));
  }

  private void volume(String labels, String nodeZone, String size) {
    cluster
        .claims()
        .put(
            Volume.of(
                Yaml.json(
                    """
                    {'metadata': {'name': 'pv', 'labels': {%s}},
                     'spec': {'storageClassName': 'fast', 'accessModes': ['ReadWriteOnce'],
                       'capacity': {'storage': '%s'}, 'nodeAffinity': {'required': {
                         'nodeSelectorTerms': [{'matchExpressions': [{
                           'key': 'topology.kubernetes.io/zone', 'operator': 'In',
                           'values': ['%s']}]}]}}}}
                    """
                        .formatted(labels, size, nodeZone))));
  }

  private void storageClass(String provisioner, String topologies) {
    cluster
        .claims()
        .put(
            StorageClass.of(
                Yaml.json(
                    """
                    {'metadata': {'name': 'fast'}, 'provisioner': '%s',
                     'volumeBindingMode': 'WaitForFirstConsumer'%s}
                    """
                        .formatted(provisioner, topologies))));
  }

  @Test
  void claimMissing() {
    oneNode();
    expect(
        claiming(),
        PluginNames.VOLUME_BINDING,
        "persistentvolumeclaim \"data\" not found",
        WakeOn.CLAIM);
  }

  @Test
  void claimBeingDeletedOrLost() {
    oneNode();
    claim(", 'volumeName': 'pv'", "Lost");
    expect(
        claiming(),
        PluginNames.VOLUME_BINDING,
        "persistentvolumeclaim \"data\" bound to non-existent persistentvolume \"pv\"",
        WakeOn.CLAIM);
    cluster
        .claims()
        .put(
            Claim.of(
                Yaml.json(
                    "{'metadata': {'namespace': 'shop', 'name': 'data', 'deletionTimestamp':"
                        + " '2026-01-01T00:00:00Z'}}")));
    expect(
        claiming(),
        PluginNames.VOLUME_BINDING,
        "persistentvolumeclaim \"data\" is being deleted",
        WakeOn.CLAIM);
  }

  @Test
  void claimThatIsBoundAtOnce_isNotBoundYet() {
    oneNode();
    claim("", "Pending");
    expect(
        claiming(),
        PluginNames.VOLUME_BINDING,
        "pod has unbound immediate PersistentVolumeClaims",
        WakeOn.CLAIM);
  }

  @Test
  void volumeGone() {
    oneNode();
    claim(", 'volumeName': 'pv'", "Bound");
    expect(
        claiming(),
        PluginNames.VOLUME_BINDING,
        "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
        WakeOn.CLAIM);
  }

  @Test
  void volumeThatOtherNodesReach() {
    oneNode();
    claim(", 'volumeName': 'pv'", "Bound");
    volume("", "z2", "10Gi");
    expect(
        claiming(),
        PluginNames.VOLUME_BINDING,
        "node(s) had volume node affinity conflict",
        WakeOn.CLAIM);
    cluster.put(Yaml.node("b", "z2"));
    assertThat(((Placed) placer.place(claiming(), cluster)).node()).isEqualTo("b");
  }

  @Test
  void volumeInAnotherZone() {
    oneNode();
    claim(", 'volumeName': 'pv'", "Bound");
    volume("'topology.kubernetes.io/zone': 'z2__z3'", "z1", "10Gi");
    expect(
        claiming(), PluginNames.VOLUME_ZONE, "node(s) had no available volume zone", WakeOn.CLAIM);
    volume("'failure-domain.beta.kubernetes.io/zone': 'z2__z1'", "z1", "10Gi");
    assertThat(placer.place(claiming(), cluster)).isInstanceOf(Placed.class);
  }

  @Test
  void noVolumeToBind() {
    oneNode();
    claim("", "Pending");
    storageClass("kubernetes.io/no-provisioner", "");
    volume("", "z1", "1Gi");
    expect(
        claiming(),
        PluginNames.VOLUME_BINDING,
        "node(s) didn't find available persistent volumes to bind",
        WakeOn.CLAIM);
    volume("", "z1", "20Gi");
    assertThat(placer.place(claiming(), cluster)).isInstanceOf(Placed.class);
  }

  @Test
  void volumesAreMadeElsewhere() {
    oneNode();
    claim("", "Pending");
    String zone =
        ", 'allowedTopologies': [{'matchLabelExpressions': [{'key':"
            + " 'topology.kubernetes.io/zone', 'values': ['%s']}]}]";
    storageClass("example.com/disks", zone.formatted("z9"));
    expect(
        claiming(),
        PluginNames.VOLUME_BINDING,
        "node(s) didn't find available persistent volumes to bind",
        WakeOn.CLAIM);
    storageClass("example.com/disks", zone.formatted("z1"));
    assertThat(placer.place(claiming(), cluster)).isInstanceOf(Placed.class);
  }

  @Test
  void claimOfOnePod_thatAnotherUses() {
    oneNode();
    claim(", 'volumeName': 'pv', 'accessModes': ['ReadWriteOncePod']", "Bound");
    volume("", "z1", "10Gi");
    assertThat(placer.place(claiming(), cluster)).isInstanceOf(Placed.class);
    PodInfo other =
        Yaml.pod(
            "other",
            "1",
            "'volumes': [{'name': 'v', 'persistentVolumeClaim': {'claimName': 'data'}}]");
    cluster.assume(other, "a");
    expect(
        claiming(),
        PluginNames.VOLUME_RESTRICTIONS,
        "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access"
            + " mode",
        WakeOn.POD_REMOVED);
    cluster.removePod(other.uid());
    assertThat(placer.place(claiming(), cluster)).isInstanceOf(Placed.class);
  }

  @Test
  void everythingAtOnce_isCountedByReason() {
    cluster.put(Yaml.node("closed", "z1", "'unschedulable': true"));
    for (String name : List.of("a", "b", "c", "d", "e")) {
      cluster.put(Yaml.node(name, "z1"));
      cluster.assume(Yaml.pod("on-" + name, "4", ""), name);
    }
    Unplaced unplaced = (Unplaced) placer.place(Yaml.pod("p", "1", ""), cluster);
    assertThat(unplaced.message())
        .isEqualTo(
            "0/6 nodes are available: 1 node(s) were unschedulable, 5 Insufficient cpu."
                + " preemption: 0/6 nodes are available: 1 Preemption is not helpful for"
                + " scheduling, 5 No preemption victims found for incoming pod.");
    assertThat(unplaced.evaluation().rejections())
        .anySatisfy(each -> assertThat(each.samples()).containsExactly("a", "b", "c"));
  }
}
