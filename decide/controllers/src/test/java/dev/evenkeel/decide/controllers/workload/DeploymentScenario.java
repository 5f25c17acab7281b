package dev.evenkeel.decide.controllers.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.world.World;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What users of a deployment see, and what {@code kubectl rollout} reads and writes. */
final class DeploymentScenario {

  private static final Duration MOMENT = Duration.ofSeconds(2);

  /** What kubectl does not carry over from a ReplicaSet to its deployment. */
  private static final Set<String> NOT_CARRIED_OVER =
      Set.of(
          DeployedWorld.REVISION,
          "deployment.kubernetes.io/revision-history",
          "deployment.kubernetes.io/desired-replicas",
          "deployment.kubernetes.io/max-replicas");

  /** With a surge of one and none missing, and all pods there. */
  private static DeployedWorld rolledOut(int replicas) {
    var it = new DeployedWorld(1, 0);
    it.create(
        replicas,
        "\"strategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":1,\"maxUnavailable\":0}},");
    it.rollOut();
    assertThat(it.isComplete()).isTrue();
    return it;
  }

  @Test
  void newDeployment_getsAReplicaSetNamedByItsTemplate() {
    try (var it = new DeployedWorld(1, 0)) {
      it.create(3, "\"minReadySeconds\":1,");
      it.runFor(MOMENT);
      ObjectNode set = it.set("i0");
      String hash = Meta.labels(set).getOrDefault("pod-template-hash", "");
      assertThat(Meta.name(set)).isEqualTo("web-" + hash);
      JsonNode spec = set.path("spec");
      assertThat(Meta.text(spec.path("selector").path("matchLabels").path("pod-template-hash")))
          .isEqualTo(hash);
      assertThat(
              Meta.strings(spec.path("template").path("metadata").path("labels"))
                  .get("pod-template-hash"))
          .isEqualTo(hash);
      assertThat(spec.path("minReadySeconds").asInt(0)).isEqualTo(1);
      assertThat(Meta.strings(set.path("metadata").path("annotations")))
          .containsOnly(
              Map.entry("kubernetes.io/change-cause", "first"),
              Map.entry(DeployedWorld.REVISION, "1"),
              Map.entry("deployment.kubernetes.io/desired-replicas", "3"),
              Map.entry("deployment.kubernetes.io/max-replicas", "4"));
      assertThat(it.told)
          .containsExactly("ScalingReplicaSet: Scaled up replica set web-" + hash + " from 0 to 3");
      assertThat(DeployedWorld.annotation(it.deployment(), DeployedWorld.REVISION)).isEqualTo("1");

      JsonNode status = it.status();
      assertThat(status.path("replicas").asInt(0)).isEqualTo(3);
      assertThat(status.path("updatedReplicas").asInt(0)).isEqualTo(3);
      assertThat(status.path("unavailableReplicas").asInt(0)).isEqualTo(3);
      assertThat(status.has("readyReplicas")).isFalse();
      assertThat(status.has("availableReplicas")).isFalse();
      assertThat(it.says("Available")).isEqualTo("False MinimumReplicasUnavailable");
      assertThat(it.says("Progressing")).isEqualTo("True ReplicaSetUpdated");
      assertThat(Meta.text(it.condition("Progressing").path("message")))
          .isEqualTo("ReplicaSet \"web-" + hash + "\" is progressing.");

      it.rollOut();
      assertThat(it.says("Available")).isEqualTo("True MinimumReplicasAvailable");
      assertThat(it.says("Progressing")).isEqualTo("True NewReplicaSetAvailable");
      assertThat(Meta.text(it.condition("Progressing").path("message")))
          .isEqualTo("ReplicaSet \"web-" + hash + "\" has successfully progressed.");
      assertThat(it.status().has("unavailableReplicas")).isFalse();
    }
  }

  @Test
  void quotaThatForbidsPods_isCarriedOverFromTheReplicaSet() {
    try (var it = new DeployedWorld(1, 0)) {
      Kind<ObjectNode> quotas = Kind.untyped("v1", "ResourceQuota", "resourcequotas", true);
      it.world.create(
          quotas, "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"pods\":\"1\"}}}");
      it.create(2, "");
      it.runFor(Duration.ofMinutes(1));
      assertThat(it.says("ReplicaFailure")).isEqualTo("True FailedCreate");
      assertThat(Meta.text(it.condition("ReplicaFailure").path("message")))
          .contains("is forbidden: exceeded quota: q, requested: pods=1");
      it.world.patch(quotas, "q", "{\"spec\":{\"hard\":{\"pods\":\"9\"}}}");
      it.runFor(Duration.ofMinutes(10));
      it.rollOut();
      assertThat(it.status().path("conditions")).hasSize(2);
      assertThat(it.says("Progressing")).isEqualTo("True NewReplicaSetAvailable");
    }
  }

  @Test
  void newTemplate_isRolledOutPodByPod() {
    try (var it = rolledOut(3)) {
      String before = Meta.name(it.set("i0"));
      it.image("i1");
      it.runFor(MOMENT);
      assertThat(DeployedWorld.replicas(it.set("i0"))).isEqualTo(3);
      assertThat(DeployedWorld.replicas(it.set("i1"))).isEqualTo(1);
      it.readyAll();
      it.runFor(MOMENT);
      assertThat(DeployedWorld.replicas(it.set("i0"))).isEqualTo(2);
      assertThat(DeployedWorld.replicas(it.set("i1"))).isEqualTo(2);
      it.rollOut();
      assertThat(DeployedWorld.replicas(it.set("i0"))).isZero();
      String after = Meta.name(it.set("i1"));
      assertThat(it.told)
          .endsWith(
              "ScalingReplicaSet: Scaled up replica set " + after + " from 0 to 1",
              "ScalingReplicaSet: Scaled down replica set " + before + " from 3 to 2",
              "ScalingReplicaSet: Scaled up replica set " + after + " from 1 to 2",
              "ScalingReplicaSet: Scaled down replica set " + before + " from 2 to 1",
              "ScalingReplicaSet: Scaled up replica set " + after + " from 2 to 3",
              "ScalingReplicaSet: Scaled down replica set " + before + " from 1 to 0");
      assertThat(DeployedWorld.annotation(it.deployment(), DeployedWorld.REVISION)).isEqualTo("2");
    }
  }

  @Test
  void rolloutRestart_replacesPodsOfTheSameImage() {
    try (var it = rolledOut(2)) {
      List<String> before = it.world.activePods().stream().map(Meta::name).toList();
      it.patch(
          """
          {"spec":{"template":{"metadata":{"annotations":
           {"kubectl.kubernetes.io/restartedAt":"2026-01-01T00:00:00Z"}}}}}
          """);
      it.rollOut();
      assertThat(it.sets()).hasSize(2);
      assertThat(it.world.activePods())
          .hasSize(2)
          .extracting(Meta::name)
          .doesNotContainAnyElementsOf(before);
    }
  }

  @Test
  void rolloutUndo_bringsTheOldReplicaSetBackAsTheNewestRevision() {
    try (var it = rolledOut(2)) {
      String first = Meta.name(it.set("i0"));
      it.patch("{\"metadata\":{\"annotations\":{\"kubernetes.io/change-cause\":\"second\"}}}");
      it.image("i1");
      it.rollOut();
      undo(it, it.set("i0"));
      it.rollOut();
      assertThat(it.sets()).hasSize(2);
      ObjectNode back = it.set("i0");
      assertThat(Meta.name(back)).isEqualTo(first);
      assertThat(DeployedWorld.replicas(back)).isEqualTo(2);
      assertThat(DeployedWorld.annotation(back, DeployedWorld.REVISION)).isEqualTo("3");
      assertThat(DeployedWorld.annotation(back, "deployment.kubernetes.io/revision-history"))
          .isEqualTo("1");
      assertThat(DeployedWorld.annotation(it.set("i1"), DeployedWorld.REVISION)).isEqualTo("2");
      assertThat(DeployedWorld.annotation(it.deployment(), DeployedWorld.REVISION)).isEqualTo("3");
      undo(it, it.set("i1"));
      it.rollOut();
      assertThat(DeployedWorld.annotation(it.set("i1"), DeployedWorld.REVISION)).isEqualTo("4");
    }
  }

  /** As kubectl does: with what Go writes of a template, and the annotations of the time. */
  private static void undo(DeployedWorld it, ObjectNode set) {
    ObjectNode template = (ObjectNode) set.path("spec").path("template").deepCopy();
    ObjectNode metadata = (ObjectNode) template.path("metadata");
    metadata.putNull("creationTimestamp");
    ((ObjectNode) metadata.path("labels")).remove("pod-template-hash");
    ObjectNode annotations = JsonNodeFactory.instance.objectNode();
    Meta.strings(it.deployment().path("metadata").path("annotations"))
        .forEach(
            (name, value) -> {
              if (NOT_CARRIED_OVER.contains(name)) {
                annotations.put(name, value);
              }
            });
    Meta.strings(set.path("metadata").path("annotations"))
        .forEach(
            (name, value) -> {
              if (!NOT_CARRIED_OVER.contains(name)) {
                annotations.put(name, value);
              }
            });
    var patch = JsonNodeFactory.instance.arrayNode();
    patch.addObject().put("op", "replace").put("path", "/spec/template").set("value", template);
    patch
        .addObject()
        .put("op", "replace")
        .put("path", "/metadata/annotations")
        .set("value", annotations);
    ObjectNode undone =
        it.world.now(
            it.world.user.patch(
                Kinds.DEPLOYMENTS,
                World.NAMESPACE,
                "web",
                PatchType.JSON,
                Bytes.utf8(patch.toString()),
                new Query()));
    assertThat(DeployedWorld.image(undone)).isEqualTo(DeployedWorld.image(set));
  }

  @Test
  void pausedDeployment_rollsNothingOut_untilItIsResumed() {
    try (var it = rolledOut(2)) {
      it.pause(true);
      it.runFor(MOMENT);
      assertThat(it.says("Progressing")).isEqualTo("Unknown DeploymentPaused");
      it.image("i1");
      it.runFor(MOMENT);
      assertThat(it.sets()).hasSize(1);
      assertThat(it.status().path("observedGeneration"))
          .isEqualTo(it.deployment().path("metadata").path("generation"));
      it.scale(3);
      it.runFor(MOMENT);
      assertThat(DeployedWorld.replicas(it.set("i0"))).isEqualTo(3);
      it.pause(false);
      it.runFor(MOMENT);
      assertThat(DeployedWorld.replicas(it.set("i1"))).isEqualTo(1);
      it.rollOut();
      assertThat(it.says("Progressing")).isEqualTo("True NewReplicaSetAvailable");
      assertThat(DeployedWorld.replicas(it.set("i1"))).isEqualTo(3);
    }
  }

  @Test
  void resumedDeployment_saysSo() {
    try (var it = new DeployedWorld(1, 0)) {
      it.create(1, "");
      it.runFor(MOMENT);
      it.pause(true);
      it.runFor(MOMENT);
      it.pause(false);
      it.runFor(MOMENT);
      assertThat(it.says("Progressing")).isEqualTo("Unknown DeploymentResumed");
    }
  }

  @Test
  void scaledWithinARollout_eachReplicaSetGetsItsShare() {
    try (var it = new DeployedWorld(1, 0)) {
      it.create(
          10,
          "\"strategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":3,\"maxUnavailable\":2}},");
      it.rollOut();
      it.image("i1");
      it.runFor(MOMENT);
      assertThat(DeployedWorld.replicas(it.set("i0"))).isEqualTo(8);
      assertThat(DeployedWorld.replicas(it.set("i1"))).isEqualTo(5);
      it.pause(true);
      it.scale(15);
      it.runFor(MOMENT);
      assertThat(DeployedWorld.replicas(it.set("i0"))).isEqualTo(11);
      assertThat(DeployedWorld.replicas(it.set("i1"))).isEqualTo(7);
      it.scale(5);
      it.runFor(MOMENT);
      assertThat(DeployedWorld.replicas(it.set("i0"))).isEqualTo(5);
      assertThat(DeployedWorld.replicas(it.set("i1"))).isEqualTo(3);
      assertThat(
              DeployedWorld.annotation(it.set("i0"), "deployment.kubernetes.io/desired-replicas"))
          .isEqualTo("5");
    }
  }

  @Test
  void recreate_waitsForTheEndOfTheLastOldPod() {
    try (var it = new DeployedWorld(1, 0)) {
      it.create(2, "\"strategy\":{\"type\":\"Recreate\"},");
      it.patch("{\"spec\":{\"template\":{\"metadata\":{\"finalizers\":[\"example.com/agent\"]}}}}");
      it.rollOut();
      it.image("i1");
      it.runFor(MOMENT);
      List<ObjectNode> pods = it.world.list(Kinds.PODS);
      assertThat(pods).hasSize(2).allMatch(Pods::isEnding);
      assertThat(it.sets()).extracting(DeployedWorld::image).doesNotContain("i1");
      release(it, pods.getFirst());
      it.runFor(MOMENT);
      assertThat(it.sets()).extracting(DeployedWorld::image).doesNotContain("i1");
      release(it, pods.getLast());
      it.runFor(MOMENT);
      assertThat(it.world.activePods())
          .hasSize(2)
          .allMatch(pod -> DeployedWorld.imageOf(pod.path("spec")).equals("i1"));
    }
  }

  private static void release(DeployedWorld it, ObjectNode pod) {
    it.world.patch(Kinds.PODS, Meta.name(pod), "{\"metadata\":{\"finalizers\":null}}");
  }

  @Test
  void rolloutWithoutProgress_missesItsDeadline_andMaySucceedYet() {
    try (var it = new DeployedWorld(1, 0)) {
      it.create(2, "\"progressDeadlineSeconds\":20,");
      it.runFor(Duration.ofSeconds(15));
      it.world.ready(it.world.activePods().getFirst());
      it.runFor(Duration.ofSeconds(15));
      assertThat(it.says("Progressing")).isEqualTo("True ReplicaSetUpdated");
      it.runFor(Duration.ofSeconds(10));
      assertThat(it.says("Progressing")).isEqualTo("False ProgressDeadlineExceeded");
      assertThat(Meta.text(it.condition("Progressing").path("message")))
          .isEqualTo("ReplicaSet \"" + Meta.name(it.set("i0")) + "\" has timed out progressing.");
      it.rollOut();
      assertThat(it.says("Progressing")).isEqualTo("True NewReplicaSetAvailable");
    }
  }

  @Test
  void orphanedReplicaSet_isTakenIn_andOneThatMatchesNoMoreIsLetGo() {
    try (var it = rolledOut(2)) {
      String name = Meta.name(it.set("i0"));
      it.world.patch(Kinds.REPLICA_SETS, name, "{\"metadata\":{\"ownerReferences\":null}}");
      it.runFor(MOMENT);
      assertThat(it.set("i0").path("metadata").path("ownerReferences")).hasSize(1);
      assertThat(it.sets()).hasSize(1);
      it.world.patch(Kinds.REPLICA_SETS, name, "{\"metadata\":{\"labels\":{\"app\":\"apart\"}}}");
      it.rollOut();
      assertThat(it.world.get(Kinds.REPLICA_SETS, name).path("metadata").has("ownerReferences"))
          .isFalse();
      assertThat(it.status().path("collisionCount").asInt(0)).isEqualTo(1);
      assertThat(it.sets()).hasSize(2);
      assertThat(it.isComplete()).isTrue();
    }
  }

  @Test
  void foundReplicaSet_isUsed_withoutMakingAnother() {
    try (var it = rolledOut(1)) {
      String name = Meta.name(it.set("i0"));
      it.world.delete(Kinds.DEPLOYMENTS, "web", "{\"propagationPolicy\":\"Background\"}");
      it.world.patch(Kinds.REPLICA_SETS, name, "{\"metadata\":{\"ownerReferences\":null}}");
      it.create(2, "");
      it.runFor(MOMENT);
      assertThat(it.sets()).extracting(Meta::name).containsExactly(name);
      assertThat(DeployedWorld.replicas(it.set("i0"))).isEqualTo(2);
      assertThat(it.says("Progressing")).startsWith("True ");
    }
  }
}
