package dev.evenkeel.decide.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.batch.CronJobReconciler;
import dev.evenkeel.decide.controllers.batch.JobReconciler;
import dev.evenkeel.decide.controllers.batch.TtlAfterFinishedReconciler;
import dev.evenkeel.decide.controllers.cluster.DisruptionReconciler;
import dev.evenkeel.decide.controllers.cluster.PodGarbageReconciler;
import dev.evenkeel.decide.controllers.cluster.RootCaReconciler;
import dev.evenkeel.decide.controllers.cluster.StaleDisruptionReconciler;
import dev.evenkeel.decide.controllers.network.EndpointSliceReconciler;
import dev.evenkeel.decide.controllers.network.EndpointsReconciler;
import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.controllers.sets.DaemonSetReconciler;
import dev.evenkeel.decide.controllers.sets.StatefulSetReconciler;
import dev.evenkeel.decide.controllers.workload.DeploymentReconciler;
import dev.evenkeel.decide.controllers.workload.ReplicaSetReconciler;
import dev.evenkeel.decide.controllers.workload.ReplicationControllerReconciler;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.world.World;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * All base controllers at once, in two processes of which one leads, while watches are late or
 * silent, reads fail, answers get lost and creates arrive late: nothing is planned on a view that
 * is older than what was written for the object, or than the term, there are never more pods than
 * were wanted, and in the end as many as are. A failing run is a seed.
 */
final class BaseControllersSimulation {

  private static final int SEEDS = 30;

  private static final List<Controller<?>> ALL =
      List.of(
          DeploymentReconciler.controller(),
          ReplicaSetReconciler.controller(),
          ReplicationControllerReconciler.controller(),
          StatefulSetReconciler.controller(),
          DaemonSetReconciler.controller(),
          JobReconciler.controller(),
          CronJobReconciler.controller(),
          TtlAfterFinishedReconciler.controller(),
          EndpointsReconciler.controller(),
          EndpointSliceReconciler.controller(),
          DisruptionReconciler.controller(),
          StaleDisruptionReconciler.controller(),
          PodGarbageReconciler.controller(),
          RootCaReconciler.controller("the authority"));

  @Test
  void nothingIsPlannedOnTheBasisOfAnOldView() {
    World.seeds("base", SEEDS, seed -> new Run(seed).all());
  }

  private static final class Run {
    final World world;
    int replicas = 2;
    int most = replicas + 1;
    int kept = 2;
    int keptMost = kept;

    Run(long seed) {
      world = new World(seed, 10, ALL, new World.Setting(true, seed % 2 == 0, true));
    }

    void all() {
      try (world) {
        create();
        for (int step = 0; step < 40; step++) {
          world.env.runFor(Duration.ofMillis(world.random.nextInt(500)));
          world.trouble();
          check();
          act();
        }
        world.well();
        for (int round = 0; round < 10; round++) {
          pods("").stream().filter(Pods::isActive).forEach(world::ready);
          world.endThoseAsked();
          world.env.runFor(Duration.ofSeconds(30));
        }
        world.patch(Kinds.CRON_JOBS, "tick", "{\"spec\":{\"suspend\":true}}");
        world.settle();
        end();
      }
    }

    private void create() {
      for (String node : List.of("n0", "n1")) {
        world.create(Kinds.NODES, "{\"metadata\":{\"name\":\"" + node + "\"}}");
        // Nobody else takes off the taint that a new node has.
        world.patch(Kinds.NODES, node, "{\"spec\":{\"taints\":null}}");
      }
      String template =
          "\"template\":{\"metadata\":{\"labels\":{\"app\":\"%s\"}},"
              + "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}";
      String set =
          "{\"metadata\":{\"name\":\"%1$s\"},\"spec\":{%2$s"
              + "\"selector\":{\"matchLabels\":{\"app\":\"%1$s\"}},";
      world.create(
          Kinds.DEPLOYMENTS,
          set.formatted("web", "\"replicas\":2,") + template.formatted("web") + "}}");
      world.create(
          Kinds.STATEFUL_SETS,
          set.formatted("db", "\"replicas\":2,\"serviceName\":\"db\",")
              + template.formatted("db")
              + "}}");
      world.create(
          Kinds.DAEMON_SETS, set.formatted("agent", "") + template.formatted("agent") + "}}");
      world.create(
          Kinds.REPLICATION_CONTROLLERS,
          "{\"metadata\":{\"name\":\"kept\"},\"spec\":{\"replicas\":2,"
              + "\"selector\":{\"app\":\"kept\"},"
              + template.formatted("kept")
              + "}}");
      String job =
          "\"template\":{\"metadata\":{\"labels\":{\"app\":\"sum\"}},\"spec\":"
              + "{\"restartPolicy\":\"Never\",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}";
      world.create(
          Kinds.JOBS,
          "{\"metadata\":{\"name\":\"sum\"},\"spec\":{\"completions\":4,\"parallelism\":2,"
              + "\"ttlSecondsAfterFinished\":5,"
              + job
              + "}}");
      world.create(
          Kinds.CRON_JOBS,
          "{\"metadata\":{\"name\":\"tick\"},\"spec\":{\"schedule\":\"* * * * *\","
              + "\"concurrencyPolicy\":\"Forbid\",\"jobTemplate\":{\"spec\":{"
              + job.replace("sum", "tick")
              + "}}}}");
      world.create(
          Kinds.SERVICES,
          "{\"metadata\":{\"name\":\"web\"},\"spec\":{\"clusterIP\":\"None\","
              + "\"selector\":{\"app\":\"web\"}}}");
      world.create(
          Kinds.DISRUPTION_BUDGETS,
          "{\"metadata\":{\"name\":\"web\"},\"spec\":{\"maxUnavailable\":1,"
              + "\"selector\":{\"matchLabels\":{\"app\":\"web\"}}}}");
    }

    private List<ObjectNode> pods(String app) {
      return world.list(Kinds.PODS).stream()
          .filter(it -> app.isEmpty() || Meta.labels(it).getOrDefault("app", "").equals(app))
          .toList();
    }

    private long active(String app) {
      return pods(app).stream().filter(Pods::isActive).count();
    }

    private void act() {
      ObjectNode pod = world.oneOf(world.activePods());
      switch (world.random.nextInt(8)) {
        case 0 -> world.restart();
        case 1 -> {
          replicas = world.random.nextInt(4);
          most = Math.max(most, replicas + 1);
          world.patch(Kinds.DEPLOYMENTS, "web", "{\"spec\":{\"replicas\":" + replicas + "}}");
        }
        case 2 -> {
          kept = world.random.nextInt(4);
          keptMost = Math.max(keptMost, kept);
          world.patch(
              Kinds.REPLICATION_CONTROLLERS, "kept", "{\"spec\":{\"replicas\":" + kept + "}}");
        }
        case 3 -> world.endThoseAsked();
        case 4 -> {
          if (pod != null) {
            world.ended(pod, world.random.nextInt(3) > 0);
          }
        }
        case 5 -> {
          if (pod != null) {
            world.delete(Kinds.PODS, Meta.name(pod), "{\"gracePeriodSeconds\":0}");
          }
        }
        default -> world.activePods().forEach(world::ready);
      }
    }

    private void check() {
      assertThat(active("web")).as("pods of the deployment").isLessThanOrEqualTo(most);
      assertThat(active("kept")).as("pods of the controller").isLessThanOrEqualTo(keptMost);
      assertThat(active("sum")).as("pods of the job").isLessThanOrEqualTo(2);
      assertThat(active("agent")).as("pods of the daemon").isLessThanOrEqualTo(2);
      assertThat(active("tick")).as("pods of jobs that exclude each other").isLessThanOrEqualTo(1);
    }

    private void end() {
      assertThat(active("web")).isEqualTo(replicas);
      assertThat(active("kept")).isEqualTo(kept);
      assertThat(active("db")).isEqualTo(2);
      assertThat(active("agent")).isEqualTo(2);
      assertThat(Meta.text(world.get(Kinds.CONFIG_MAPS, "kube-root-ca.crt").at("/data/ca.crt")))
          .isEqualTo("the authority");
      assertThat(world.get(Kinds.SERVICES, "web")).isNotNull();
    }
  }
}
