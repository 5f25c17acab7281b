package dev.evenkeel.prove.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.object.Kinds;
import dev.evenkeel.decide.controllers.workload.ReplicaSetReconciler;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.api.Meta;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The ReplicaSet controller on the real server, while it is stopped and started anew, answers get
 * lost, pods fail and vanish, and the set is scaled: there are never more pods than were ever
 * wanted, and in the end just as many as are. A failing run is a seed.
 */
final class ReplicaSetSimulation {

  private static final int SEEDS = 150;

  private static World world(long seed, int lossPercent) {
    return new World(seed, lossPercent, List.of(ReplicaSetReconciler.controller()));
  }

  private static void create(World world, int replicas) {
    world.create(
        Kinds.REPLICA_SETS,
        """
        {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web"},
         "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"web"}},
         "template":{"metadata":{"labels":{"app":"web"}},
         "spec":{"containers":[{"name":"c","image":"i"}]}}}}
        """
            .formatted(replicas));
  }

  @Test
  void pods_areNeverTooMany_andInTheEndJustEnough() {
    World.seeds("replicaset", SEEDS, ReplicaSetSimulation::run);
  }

  private static void run(long seed) {
    try (var world = world(seed, 10)) {
      int wanted = world.random.nextInt(6);
      int most = wanted;
      create(world, wanted);
      for (int step = 0; step < 40; step++) {
        world.env.runFor(Duration.ofMillis(world.random.nextInt(40)));
        assertThat(world.activePods().size()).isLessThanOrEqualTo(most);
        ObjectNode pod = world.oneOf(world.activePods());
        switch (world.random.nextInt(6)) {
          case 0 -> {
            wanted = world.random.nextInt(8);
            most = Math.max(most, wanted);
            world.patch(Kinds.REPLICA_SETS, "web", "{\"spec\":{\"replicas\":" + wanted + "}}");
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
      world.settle();
      assertThat(world.activePods()).hasSize(wanted);
      JsonNode status = world.get(Kinds.REPLICA_SETS, "web").path("status");
      assertThat(status.path("replicas").asInt(-1)).isEqualTo(wanted);
    }
  }

  @Test
  void orphanThatMatches_isTakenIn_andOneThatMatchesNoMoreIsLetGo() {
    try (var world = world(1, 0)) {
      create(world, 1);
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

  @Test
  void decisions_sayWhyEachPodWasMade() {
    try (var world = world(1, 0)) {
      create(world, 2);
      world.env.runFor(Duration.ofSeconds(2));
      List<Decision> acted =
          world.log.newest(it -> it.outcome().kind() == Decision.Outcome.Kind.ACTED, 100);
      assertThat(acted.getLast().waking().reasons().getFirst().text())
          .isEqualTo("ReplicaSet/web added");
      assertThat(acted.getLast().actions())
          .extracting(Decision.ActionRecord::because)
          .startsWith("replica 1 of 2 is missing", "replica 2 of 2 is missing");
      assertThat(acted.getLast().reads()).extracting(Decision.Read::kind).containsOnly("pods");
      assertThat(world.log.newest(_ -> true, 1).getFirst().outcome().kind())
          .isEqualTo(Decision.Outcome.Kind.SETTLED);
    }
  }
}
