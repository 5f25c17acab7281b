package dev.evenkeel.decide.controllers.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.cluster.NodeLifecycleReconciler;
import dev.evenkeel.decide.controllers.network.ServiceCidrReconciler;
import dev.evenkeel.decide.world.World;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is in use stays, and what is silent is said to be, on the real server. */
final class InUseScenario {

  private static void status(World world, Kind<?> kind, String name, String status) {
    var _ =
        world.now(
            world.user.patch(
                kind,
                kind.namespaced() ? World.NAMESPACE : "",
                name,
                "status",
                PatchType.MERGE,
                Bytes.wrap(Json.encode(World.json("{\"status\":" + status + "}"))),
                new Query()));
  }

  private static List<String> names(World world, Kind<?> kind) {
    return world.list(kind).stream().map(Meta::name).toList();
  }

  // ---- storage

  @Test
  void claimThatAPodUses_goesWhenThePodHasEnded() {
    try (var world = new World(1, 10, List.of(ClaimProtectionReconciler.controller()))) {
      ObjectNode claim =
          world.create(
              Kinds.VOLUME_CLAIMS,
              """
              {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c"},
               "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}
              """);
      assertThat(claim.path("metadata").path("finalizers").toString())
          .isEqualTo("[\"kubernetes.io/pvc-protection\"]");
      world.create(
          Kinds.PODS,
          """
          {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n",
           "containers":[{"name":"c","image":"i"}],
           "volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}]}}
          """);
      world.env.runFor(Duration.ofSeconds(5));
      world.delete(Kinds.VOLUME_CLAIMS, "c", "{}");
      world.env.runFor(Duration.ofMinutes(1));
      assertThat(names(world, Kinds.VOLUME_CLAIMS)).containsExactly("c");
      status(world, Kinds.PODS, "p", "{\"phase\":\"Succeeded\"}");
      world.settle();
      assertThat(names(world, Kinds.VOLUME_CLAIMS)).isEmpty();
    }
  }

  @Test
  void volume_isAvailable_andStaysWhileItIsBound() {
    try (var world =
        new World(
            2,
            10,
            List.of(
                VolumeProtectionReconciler.controller(),
                VolumePhaseReconciler.controller(),
                ClaimBindingReconciler.controller(),
                ClaimProtectionReconciler.controller()))) {
      world.create(
          Kinds.VOLUMES,
          """
          {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"v"},"spec":{
           "accessModes":["ReadWriteOnce"],"capacity":{"storage":"1Gi"},"hostPath":{"path":"/x"}}}
          """);
      world.env.runFor(Duration.ofSeconds(10));
      assertThat(Meta.text(world.get(Kinds.VOLUMES, "v").path("status").path("phase")))
          .isEqualTo("Available");
      world.create(
          Kinds.VOLUME_CLAIMS,
          """
          {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c"},
           "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}
          """);
      world.env.runFor(Duration.ofMinutes(1));
      world.delete(Kinds.VOLUMES, "v", "{}");
      world.env.runFor(Duration.ofMinutes(1));
      assertThat(names(world, Kinds.VOLUMES)).containsExactly("v");
      world.delete(Kinds.VOLUME_CLAIMS, "c", "{}");
      world.settle();
      assertThat(names(world, Kinds.VOLUMES)).isEmpty();
    }
  }

  @Test
  void classOfAttributes_staysWhileAClaimNamesIt() {
    try (var world = new World(3, 10, List.of(VolumeClassProtectionReconciler.controller()))) {
      world.create(
          Kinds.VOLUME_CLASSES,
          """
          {"apiVersion":"storage.k8s.io/v1","kind":"VolumeAttributesClass","metadata":{"name":"fast"},
           "driverName":"d.example.com","parameters":{"a":"b"}}
          """);
      world.create(
          Kinds.VOLUME_CLAIMS,
          """
          {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c"},
           "spec":{"accessModes":["ReadWriteOnce"],"volumeAttributesClassName":"fast",
           "resources":{"requests":{"storage":"1Gi"}}}}
          """);
      world.env.runFor(Duration.ofSeconds(5));
      world.delete(Kinds.VOLUME_CLASSES, "fast", "{}");
      world.env.runFor(Duration.ofMinutes(1));
      assertThat(names(world, Kinds.VOLUME_CLASSES)).containsExactly("fast");
      world.patch(Kinds.VOLUME_CLAIMS, "c", "{\"metadata\":{\"finalizers\":null}}");
      world.delete(Kinds.VOLUME_CLAIMS, "c", "{}");
      world.settle();
      assertThat(names(world, Kinds.VOLUME_CLASSES)).isEmpty();
    }
  }

  // ---- ranges

  @Test
  void range_isReady_andStaysWhileAServiceHasAnAddressOfIt() {
    try (var world = new World(4, 10, List.of(ServiceCidrReconciler.controller()))) {
      world.create(
          Kinds.SERVICE_CIDRS,
          """
          {"apiVersion":"networking.k8s.io/v1","kind":"ServiceCIDR","metadata":{"name":"more"},
           "spec":{"cidrs":["10.9.0.0/24"]}}
          """);
      world.env.runFor(Duration.ofMinutes(1));
      ObjectNode range = world.get(Kinds.SERVICE_CIDRS, "more");
      assertThat(range.path("metadata").path("finalizers").toString())
          .isEqualTo("[\"networking.k8s.io/service-cidr-finalizer\"]");
      assertThat(Meta.text(range.path("status").path("conditions").path(0).path("message")))
          .isEqualTo("Kubernetes Service CIDR is ready");
      world.create(
          Kinds.SERVICES,
          """
          {"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},
           "spec":{"clusterIP":"10.9.0.7","ports":[{"port":80}]}}
          """);
      world.delete(Kinds.SERVICE_CIDRS, "more", "{}");
      world.env.runFor(Duration.ofMinutes(1));
      JsonNode condition =
          world.get(Kinds.SERVICE_CIDRS, "more").path("status").path("conditions").path(0);
      assertThat(Meta.text(condition.path("status"))).isEqualTo("False");
      world.delete(Kinds.SERVICES, "s", "{}");
      world.settle();
      assertThat(names(world, Kinds.SERVICE_CIDRS)).isEmpty();
    }
  }

  // ---- nodes

  private static List<String> taints(World world, String node) {
    List<String> taints = new ArrayList<>();
    for (JsonNode taint : world.get(Kinds.NODES, node).path("spec").path("taints")) {
      taints.add(Meta.text(taint.path("key")) + ":" + Meta.text(taint.path("effect")));
    }
    return taints;
  }

  private static String ready(World world, String node) {
    for (JsonNode condition : world.get(Kinds.NODES, node).path("status").path("conditions")) {
      if (Meta.text(condition.path("type")).equals("Ready")) {
        return Meta.text(condition.path("status")) + " " + Meta.text(condition.path("reason"));
      }
    }
    return "";
  }

  private static void heartbeat(World world, String holds) {
    Instant now = world.env.clock().now().truncatedTo(ChronoUnit.SECONDS);
    status(
        world,
        Kinds.NODES,
        "n",
        """
        {"conditions":[{"type":"Ready","status":"%s","reason":"KubeletReady","message":"",
         "lastHeartbeatTime":"%s","lastTransitionTime":"%s"}]}
        """
            .formatted(holds, now, now));
  }

  @Test
  void node_isTaintedUntilItIsReady_andUnreachableWhenItIsSilent() {
    try (var world = new World(5, 0, List.of())) {
      world.create(
          Kinds.NODES, "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"}}");
      assertThat(taints(world, "n")).containsExactly("node.kubernetes.io/not-ready:NoSchedule");
      heartbeat(world, "False");
      world.run(NodeLifecycleReconciler.controller());
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(taints(world, "n"))
          .containsExactlyInAnyOrder(
              "node.kubernetes.io/not-ready:NoSchedule", "node.kubernetes.io/not-ready:NoExecute");
      heartbeat(world, "True");
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(taints(world, "n")).isEmpty();
      assertThat(world.get(Kinds.NODES, "n").path("metadata").path("annotations").toString())
          .isEqualTo("{\"node.alpha.kubernetes.io/ttl\":\"0\"}");
      world.env.runFor(Duration.ofSeconds(40));
      assertThat(ready(world, "n")).isEqualTo("True KubeletReady");
      world.env.runFor(Duration.ofSeconds(20));
      assertThat(ready(world, "n")).isEqualTo("Unknown NodeStatusUnknown");
      assertThat(taints(world, "n"))
          .containsExactlyInAnyOrder(
              "node.kubernetes.io/unreachable:NoSchedule",
              "node.kubernetes.io/unreachable:NoExecute");
      heartbeat(world, "True");
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(taints(world, "n")).isEmpty();
    }
  }

  @Test
  void nodeThatRenewsItsLease_isNotSilent() {
    try (var world = new World(6, 0, List.of(NodeLifecycleReconciler.controller()))) {
      world.create(
          Kinds.NODES, "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"}}");
      heartbeat(world, "True");
      for (int i = 0; i < 12; i++) {
        String lease =
            """
            {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"n"},
             "spec":{"holderIdentity":"n","renewTime":"%s"}}
            """
                .formatted(
                    world
                        .env
                        .clock()
                        .now()
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString()
                        .replace("Z", ".000000Z"));
        if (i == 0) {
          var _ = world.now(world.user.create(Kinds.LEASES, "kube-node-lease", World.json(lease)));
        } else {
          var _ =
              world.now(
                  world.user.patch(
                      Kinds.LEASES,
                      "kube-node-lease",
                      "n",
                      PatchType.MERGE,
                      Bytes.wrap(Json.encode(World.json(lease))),
                      new Query()));
        }
        world.env.runFor(Duration.ofSeconds(10));
        assertThat(ready(world, "n")).isEqualTo("True KubeletReady");
      }
    }
  }

  @Test
  void nodeThatNeverSaidAnything_isUnknownAfterAMinute() {
    try (var world = new World(7, 0, List.of(NodeLifecycleReconciler.controller()))) {
      world.create(
          Kinds.NODES, "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"}}");
      world.env.runFor(Duration.ofSeconds(55));
      assertThat(ready(world, "n")).isEmpty();
      world.env.runFor(Duration.ofSeconds(15));
      assertThat(ready(world, "n")).isEqualTo("Unknown NodeStatusNeverUpdated");
      world.settle();
    }
  }
}
