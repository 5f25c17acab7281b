package dev.evenkeel.decide.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.guard.Mishaps;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.Operator;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.operate.inprocess.InProcessTransport;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reconciler that does not return for a minute. */
final class StuckReconcilerTest {

  @Test
  void whoDoesNotReturn_isReported_andHoldsUpNobodyElse() {
    var env = new SimulatedEnv(1);
    List<String> seenByOther = new ArrayList<>();
    List<String> happened = new ArrayList<>();
    try (var store = MemoryStore.open(env);
        var server = ApiServer.open(env, store, ServerSettings.DEFAULTS)) {
      env.runFor(Duration.ofSeconds(5));
      var admin = new ApiRequest.Peer("kubernetes-admin", List.of("system:masters"));
      var operator =
          Operator.over(
              env, new InProcessTransport(env, server, admin), new DecisionLog(1_000, 1_000));
      operator.run(
          Controller.of(
              "stuck",
              Kinds.CONFIG_MAPS,
              (_, _) -> {
                env.block(Duration.ofMinutes(1));
                happened.add("it returned");
                return Plan.empty();
              }));
      operator.run(
          Controller.of(
              "other",
              Kinds.CONFIG_MAPS,
              (map, _) -> {
                seenByOther.add(map.name());
                return Plan.empty();
              }));
      create(operator, "early");
      Loop user = env.loop("user");
      var stuck = operator.running().getFirst();
      List<Decision> reported = new ArrayList<>();
      var _ = user.runLater(Duration.ofSeconds(20), () -> create(operator, "late"));
      var _ =
          user.runLater(
              Duration.ofSeconds(40),
              () -> {
                assertThat(stuck.mishaps().number(Mishaps.Kind.STUCK)).isEqualTo(1);
                reported.addAll(
                    operator
                        .decisions()
                        .newest(it -> it.outcome().kind() == Decision.Outcome.Kind.FAILED, 10));
                // It closes though one of its controllers cannot be stopped.
                operator.close();
                happened.add("it closed");
              });
      env.runFor(Duration.ofMinutes(2));
      assertThat(seenByOther).contains("early", "late");
      assertThat(reported)
          .singleElement()
          .satisfies(
              it -> {
                assertThat(it.controller()).isEqualTo("stuck");
                assertThat(it.outcome().detail()).startsWith("the reconciler has not returned");
              });
      assertThat(happened).startsWith("it closed", "it returned");
    }
  }

  private static void create(Operator operator, String name) {
    var _ =
        operator
            .client()
            .create(
                Kinds.CONFIG_MAPS,
                "default",
                World.json("{\"metadata\":{\"name\":\"" + name + "\"}}"));
  }
}
