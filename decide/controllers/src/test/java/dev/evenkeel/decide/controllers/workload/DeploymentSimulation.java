package dev.evenkeel.decide.controllers.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.world.World;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Deployment and ReplicaSet controllers on the real server, while they are stopped and started
 * anew, answers get lost, templates change before they are rolled out, and the deployment is scaled
 * and paused: there are never more pods than its surge allows, and as long as pods stay well never
 * fewer available ones than it needs; where old pods are to end first, the two never meet. In the
 * end all pods are of the last template. A failing run is a seed.
 */
final class DeploymentSimulation {

  private static final int SEEDS = 60;
  private static final int STEPS = 60;
  private static final int HISTORY = 2;

  @Test
  void pods_stayWithinLimits_andBecomeThoseOfTheLastTemplate() {
    World.seeds("deployment", SEEDS, seed -> new Run(seed).all());
  }

  /** One seed. */
  private static final class Run {

    private final DeployedWorld it;
    private final Random random;
    private final boolean rolling;
    private final boolean healthy;
    private final int surge;
    private final int unavailable;
    private int wanted;
    private String image = "i0";

    /** More active pods than this there may not be. */
    private int most;

    /** Fewer available pods than this there may not be; -1 while that is not asked. */
    private int least = -1;

    Run(long seed) {
      it = new DeployedWorld(seed, 10);
      random = it.world.random;
      rolling = seed % 3 != 0;
      healthy = seed % 2 == 0;
      surge = rolling ? random.nextInt(3) : 0;
      unavailable = surge == 0 ? 1 + random.nextInt(2) : random.nextInt(3);
      wanted = random.nextInt(6);
      most = wanted + surge;
    }

    void all() {
      try (it) {
        create();
        for (int step = 0; step < STEPS; step++) {
          it.runFor(Duration.ofMillis(random.nextInt(15)));
          it.world.trouble();
          check();
          act();
          check();
          noteComplete();
        }
        it.world.well();
        it.pause(false);
        it.rollOut();
        it.world.settle();
        end();
      }
    }

    private void create() {
      String strategy =
          rolling
              ? "{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":%d,\"maxUnavailable\":%d}}"
                  .formatted(surge, unavailable)
              : "{\"type\":\"Recreate\"}";
      it.create(wanted, "\"revisionHistoryLimit\":" + HISTORY + ",\"strategy\":" + strategy + ",");
      if (!rolling) {
        it.patch(
            "{\"spec\":{\"template\":{\"metadata\":{\"finalizers\":[\"example.com/agent\"]}}}}");
      }
    }

    private void act() {
      List<ObjectNode> active = it.world.activePods();
      ObjectNode pod = it.world.oneOf(active);
      switch (random.nextInt(healthy ? 14 : 18)) {
        case 0 -> template();
        case 1 -> {
          template();
          it.runFor(Duration.ofMillis(random.nextInt(8)));
          template();
        }
        case 2 -> it.world.restart();
        case 3 -> it.pause(random.nextInt(3) == 0);
        case 4 -> scale();
        case 5, 6 -> it.endThoseAsked();
        case 7 -> it.collect();
        case 8, 9, 10, 11 -> it.readyAll();
        case 12 -> {
          if (pod != null) {
            it.world.ready(pod);
          }
        }
        case 13 -> {}
        case 14 -> {
          if (pod != null) {
            it.world.ended(pod, false);
          }
        }
        case 15 -> {
          if (pod != null) {
            it.world.delete(Kinds.PODS, Meta.name(pod), "{\"gracePeriodSeconds\":0}");
          }
        }
        case 16 -> resizeSet();
        default -> deleteSet();
      }
    }

    private void template() {
      image = "i" + random.nextInt(4);
      it.image(image);
    }

    private void scale() {
      wanted = random.nextInt(7);
      most = Math.max(most, wanted + surge);
      least = -1;
      it.scale(wanted);
    }

    /** As somebody does who does not know whose they are. */
    private void resizeSet() {
      ObjectNode set = it.world.oneOf(it.sets());
      if (set != null) {
        int size = random.nextInt(4);
        most += size;
        it.world.patch(
            Kinds.REPLICA_SETS, Meta.name(set), "{\"spec\":{\"replicas\":" + size + "}}");
      }
    }

    private void deleteSet() {
      ObjectNode set = it.world.oneOf(it.sets());
      if (set != null) {
        it.world.delete(
            Kinds.REPLICA_SETS, Meta.name(set), "{\"propagationPolicy\":\"Background\"}");
        most += 100;
      }
    }

    private void check() {
      List<ObjectNode> pods = it.world.list(Kinds.PODS);
      List<ObjectNode> active = pods.stream().filter(Pods::isActive).toList();
      assertThat(active.size()).as("pods").isLessThanOrEqualTo(most);
      long available = active.stream().filter(pod -> Pods.readySince(pod) != null).count();
      assertThat(available).as("available pods").isGreaterThanOrEqualTo(least);
      if (!rolling && healthy) {
        assertThat(
                pods.stream()
                    .filter(pod -> !isOver(pod))
                    .map(pod -> DeployedWorld.imageOf(pod.path("spec")))
                    .distinct())
            .as("templates of pods")
            .hasSizeLessThanOrEqualTo(1);
      }
    }

    private void noteComplete() {
      if (it.isComplete()) {
        // Somebody may have resized a set since the deployment last looked.
        if (most < 100 && it.world.activePods().size() <= wanted + surge) {
          most = wanted + surge;
        }
        least = healthy && rolling ? wanted - Math.min(wanted, unavailable) : -1;
      }
    }

    private static boolean isOver(ObjectNode pod) {
      return Pods.phase(pod).equals("Succeeded") || Pods.phase(pod).equals("Failed");
    }

    private void end() {
      List<ObjectNode> sets = it.sets();
      ObjectNode current =
          sets.stream()
              .filter(set -> DeployedWorld.image(set).equals(image))
              .findFirst()
              .orElseThrow();
      String hash = Meta.labels(current).getOrDefault("pod-template-hash", "");
      assertThat(hash).matches("[bcdfghjklmnpqrstvwxz2456789]+");
      assertThat(Meta.name(current)).isEqualTo("web-" + hash);
      assertThat(DeployedWorld.replicas(current)).isEqualTo(wanted);
      assertThat(sets)
          .allSatisfy(
              set -> {
                if (!Meta.uid(set).equals(Meta.uid(current))) {
                  assertThat(DeployedWorld.replicas(set)).isZero();
                  assertThat(revision(set)).isLessThan(revision(current));
                }
              });
      assertThat(sets).extracting(Meta::name).hasSizeLessThanOrEqualTo(HISTORY + 1);

      assertThat(it.world.activePods())
          .extracting(Meta::labels)
          .hasSize(wanted)
          .allSatisfy(
              labels ->
                  assertThat(labels).isEqualTo(Map.of("app", "web", "pod-template-hash", hash)));

      ObjectNode deployment = it.deployment();
      assertThat(DeployedWorld.annotation(deployment, DeployedWorld.REVISION))
          .isEqualTo(DeployedWorld.annotation(current, DeployedWorld.REVISION));
      JsonNode status = deployment.path("status");
      for (String field :
          List.of("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")) {
        assertThat(status.path(field).asInt(0)).as(field).isEqualTo(wanted);
        assertThat(status.has(field)).as(field).isEqualTo(wanted > 0);
      }
      assertThat(status.has("unavailableReplicas")).isFalse();
      assertThat(status.path("observedGeneration"))
          .isEqualTo(deployment.path("metadata").path("generation"));
      assertThat(it.says("Available")).isEqualTo("True MinimumReplicasAvailable");
      assertThat(it.says("Progressing")).isEqualTo("True NewReplicaSetAvailable");
      assertThat(status.path("conditions")).hasSize(2);
    }

    private static long revision(ObjectNode set) {
      return Long.parseLong(DeployedWorld.annotation(set, DeployedWorld.REVISION));
    }
  }
}
