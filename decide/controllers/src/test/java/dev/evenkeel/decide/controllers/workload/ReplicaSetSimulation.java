package dev.evenkeel.decide.controllers.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.world.World;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The ReplicaSet controller, and the ReplicationController's, on the real server, while it is
 * stopped and started anew, answers get lost, pods fail and vanish, and the set is scaled: there
 * are never more pods than were ever wanted, and in the end just as many as are. A failing run is a
 * seed.
 */
final class ReplicaSetSimulation {

  private static final int SEEDS = 200;
  private static final Kind<ObjectNode> QUOTAS =
      Kind.untyped("v1", "ResourceQuota", "resourcequotas", true);

  /** A kind that keeps pods, with its controller and how it selects. */
  record Keeper(Kind<ObjectNode> kind, Controller<ObjectNode> controller, String selector) {

    @Override
    public String toString() {
      return controller.name();
    }

    private World world(long seed, int lossPercent) {
      return new World(seed, lossPercent, List.of(controller));
    }

    private void create(World world, int replicas) {
      world.create(
          kind,
          """
          {"apiVersion":"%s","kind":"%s","metadata":{"name":"web"},
           "spec":{"replicas":%d,"selector":%s,
           "template":{"metadata":{"labels":{"app":"web"}},
           "spec":{"containers":[{"name":"c","image":"i"}]}}}}
          """
              .formatted(kind.gvk().apiVersion(), kind.gvk().kind(), replicas, selector));
    }
  }

  static List<Keeper> keepers() {
    return List.of(
        new Keeper(
            Kinds.REPLICA_SETS,
            ReplicaSetReconciler.controller(),
            "{\"matchLabels\":{\"app\":\"web\"}}"),
        new Keeper(
            Kinds.REPLICATION_CONTROLLERS,
            ReplicationControllerReconciler.controller(),
            "{\"app\":\"web\"}"));
  }

  @ParameterizedTest
  @MethodSource("keepers")
  void pods_areNeverTooMany_andInTheEndJustEnough(Keeper keeper) {
    World.seeds("replicaset", SEEDS, seed -> run(keeper, seed));
  }

  private static void run(Keeper keeper, long seed) {
    try (var world = keeper.world(seed, 10)) {
      int wanted = world.random.nextInt(6);
      int most = wanted;
      keeper.create(world, wanted);
      for (int step = 0; step < 40; step++) {
        world.env.runFor(Duration.ofMillis(world.random.nextInt(40)));
        world.trouble();
        assertThat(world.activePods().size()).isLessThanOrEqualTo(most);
        ObjectNode pod = world.oneOf(world.activePods());
        switch (world.random.nextInt(6)) {
          case 0 -> {
            wanted = world.random.nextInt(8);
            most = Math.max(most, wanted);
            world.patch(keeper.kind(), "web", "{\"spec\":{\"replicas\":" + wanted + "}}");
          }
          case 1 -> world.restart();
          case 2 -> {
            if (pod != null) {
              world.ended(pod, false);
            }
          }
          case 3 -> {
            if (pod != null) {
              world.delete(Kinds.PODS, Meta.name(pod), "{\"gracePeriodSeconds\":0}");
            }
          }
          case 4 -> {
            if (pod != null) {
              world.ready(pod);
            }
          }
          default -> {}
        }
      }
      world.activePods().forEach(world::ready);
      world.settle();
      List<ObjectNode> pods = world.activePods();
      assertThat(pods).hasSize(wanted);
      ObjectNode object = world.get(keeper.kind(), "web");
      assertThat(pods)
          .allSatisfy(
              pod ->
                  assertThat(pod.path("metadata").path("ownerReferences").path(0).path("uid"))
                      .isEqualTo(object.path("metadata").path("uid")));
      long ready = pods.stream().filter(pod -> Pods.readySince(pod) != null).count();
      JsonNode status = object.path("status");
      assertThat(status.path("replicas").asInt(-1)).isEqualTo(wanted);
      assertThat(status.path("observedGeneration"))
          .isEqualTo(object.path("metadata").path("generation"));
      assertThat(status.has("fullyLabeledReplicas")).isEqualTo(wanted > 0);
      assertThat(status.path("fullyLabeledReplicas").asInt(0)).isEqualTo(wanted);
      assertThat(status.has("readyReplicas")).isEqualTo(ready > 0);
      assertThat(status.path("readyReplicas").asLong(0)).isEqualTo(ready);
      assertThat(status.path("availableReplicas").asLong(0)).isEqualTo(ready);
    }
  }

  @ParameterizedTest
  @MethodSource("keepers")
  void orphanThatMatches_isTakenIn_andOneThatMatchesNoMoreIsLetGo(Keeper keeper) {
    try (var world = keeper.world(1, 0)) {
      keeper.create(world, 1);
      world.env.runFor(Duration.ofSeconds(2));
      ObjectNode pod = world.activePods().getFirst();
      world.patch(Kinds.PODS, Meta.name(pod), "{\"metadata\":{\"labels\":{\"app\":\"apart\"}}}");
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(world.activePods()).hasSize(2);
      assertThat(world.get(Kinds.PODS, Meta.name(pod)).path("metadata").has("ownerReferences"))
          .isFalse();
      world.patch(Kinds.PODS, Meta.name(pod), "{\"metadata\":{\"labels\":{\"app\":\"web\"}}}");
      world.settle();
      assertThat(world.activePods()).hasSize(1);
    }
  }

  @ParameterizedTest
  @MethodSource("keepers")
  void decisions_sayWhyEachPodWasMade(Keeper keeper) {
    try (var world = keeper.world(1, 0)) {
      keeper.create(world, 2);
      world.env.runFor(Duration.ofSeconds(2));
      List<Decision> acted =
          world.log.newest(it -> it.outcome().kind() == Decision.Outcome.Kind.ACTED, 100);
      assertThat(acted.getLast().waking().reasons().getFirst().text())
          .isEqualTo(keeper.kind().gvk().kind() + "/web added");
      assertThat(acted.getLast().actions())
          .extracting(Decision.ActionRecord::because)
          .startsWith("replica 1 of 2 is missing", "replica 2 of 2 is missing");
      assertThat(acted.getLast().reads()).extracting(Decision.Read::kind).containsOnly("pods");
      assertThat(world.log.newest(_ -> true, 1).getFirst().outcome().kind())
          .isEqualTo(Decision.Outcome.Kind.SETTLED);
    }
  }

  @ParameterizedTest
  @MethodSource("keepers")
  void quotaThatForbidsPods_isSaidInTheStatus_andForgottenOnceItAllowsThem(Keeper keeper) {
    try (var world = keeper.world(1, 0)) {
      world.create(QUOTAS, "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"pods\":\"2\"}}}");
      keeper.create(world, 4);
      world.env.runFor(Duration.ofMinutes(1));
      assertThat(world.activePods()).hasSize(2);
      JsonNode status = world.get(keeper.kind(), "web").path("status");
      assertThat(status.path("replicas").asInt(0)).isEqualTo(2);
      assertThat(status.path("conditions")).hasSize(1);
      JsonNode failure = status.path("conditions").path(0);
      assertThat(Meta.text(failure.path("type"))).isEqualTo("ReplicaFailure");
      assertThat(Meta.text(failure.path("status"))).isEqualTo("True");
      assertThat(Meta.text(failure.path("reason"))).isEqualTo("FailedCreate");
      assertThat(Meta.text(failure.path("message")))
          .matches(
              "pods \"web-[a-z0-9]{5}\" is forbidden: exceeded quota: q, requested: pods=1, .*");
      long version = Long.parseLong(Meta.resourceVersion(world.get(keeper.kind(), "web")));
      world.env.runFor(Duration.ofMinutes(10));
      assertThat(Meta.resourceVersion(world.get(keeper.kind(), "web")))
          .as("nothing is written while nothing changes")
          .isEqualTo(Long.toString(version));
      world.restart();
      world.env.runFor(Duration.ofMinutes(1));
      assertThat(Meta.resourceVersion(world.get(keeper.kind(), "web")))
          .isEqualTo(Long.toString(version));
      world.patch(QUOTAS, "q", "{\"spec\":{\"hard\":{\"pods\":\"10\"}}}");
      world.env.runFor(Duration.ofMinutes(10));
      world.settle();
      assertThat(world.activePods()).hasSize(4);
      assertThat(world.get(keeper.kind(), "web").path("status").has("conditions")).isFalse();
    }
  }
}
