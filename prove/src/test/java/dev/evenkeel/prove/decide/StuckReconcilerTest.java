package dev.evenkeel.prove.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.guard.Mishaps;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.Operator;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.operate.inprocess.InProcessTransport;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/** A reconciler that waits for ever, with real threads. */
final class StuckReconcilerTest {

  private static final Kind<ObjectNode> MAPS = Kind.untyped("v1", "ConfigMap", "configmaps", true);

  @Test
  @Timeout(120)
  void whoDoesNotReturn_isReported_andHoldsUpNobodyElse() throws InterruptedException {
    Env env = new RealEnv();
    var never = new CountDownLatch(1);
    var others = new CountDownLatch(1);
    try (var store = MemoryStore.open(env);
        var server = ApiServer.open(env, store, ServerSettings.DEFAULTS)) {
      var admin = new ApiRequest.Peer("kubernetes-admin", List.of("system:masters"));
      var operator =
          Operator.over(
              env, new InProcessTransport(env, server, admin), new DecisionLog(1_000, 1_000));
      operator.run(
          Controller.of(
              "stuck",
              MAPS,
              (map, view) -> {
                try {
                  never.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                return Plan.empty();
              }));
      operator.run(
          Controller.of(
              "other",
              MAPS,
              (map, view) -> {
                if (map.name().equals("late")) {
                  others.countDown();
                }
                return Plan.empty();
              }));
      create(operator, "early");
      var stuck = operator.running().getFirst();
      while (stuck.mishaps().number(Mishaps.Kind.STUCK) == 0) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
      Decision reported =
          operator
              .decisions()
              .newest(it -> it.outcome().kind() == Decision.Outcome.Kind.FAILED, 1)
              .getFirst();
      assertThat(reported.controller()).isEqualTo("stuck");
      assertThat(reported.outcome().detail()).startsWith("the reconciler has not returned");
      create(operator, "late");
      others.await();
      // It closes though one of its controllers cannot be stopped.
      operator.close();
    } finally {
      never.countDown();
    }
  }

  /** A server that has just been opened makes its namespaces first. */
  private static void create(Operator operator, String name) throws InterruptedException {
    ObjectNode map = World.json("{\"metadata\":{\"name\":\"" + name + "\"}}");
    while (operator
        .client()
        .create(MAPS, "default", map)
        .handle((_, failure) -> failure != null)
        .join()) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }
}
