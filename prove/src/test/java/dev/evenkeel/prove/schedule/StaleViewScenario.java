package dev.evenkeel.prove.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.Decision.ActionRecord;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * A scheduler whose view of the nodes is twenty seconds old. The cache selects a candidate, the
 * binding says which version that was seen at, and the authoritative path rejects it because the
 * capacity has changed; the scheduler goes on with a fresh candidate.
 */
class StaleViewScenario {

  @Test
  void nodeWhoseLastGpuIsGone_isRefusedWithTheReason_andAnotherIsTaken() {
    try (var world = new SchedulingWorld(1)) {
      // node-b7 is the best there is, with one GPU free; node-b9 is busier, and has one too.
      world.node("node-b7", "zone-b", "\"cpu\":\"16\",\"pods\":\"20\",\"example.com/gpu\":\"1\"");
      world.node("node-b9", "zone-b", "\"cpu\":\"4\",\"pods\":\"20\",\"example.com/gpu\":\"1\"");
      var scheduler = world.new SchedulerProcess(Profile.DEFAULT);
      world.env.runFor(Duration.ofSeconds(2));

      // What the scheduler hears of is twenty seconds old: the pod, and behind it that the last
      // GPU of node-b7 is gone.
      world.pod(
          "other", "\"schedulerName\":\"somebody\",", "\"cpu\":\"1\",\"example.com/gpu\":\"1\"");
      world.env.runFor(Duration.ofSeconds(1));
      scheduler.network.lag = Duration.ofSeconds(20);
      world.pod("risk-api-7f2", "", "\"cpu\":\"1\",\"example.com/gpu\":\"1\"");
      assertThat(world.bind("other", "node-b7")).isEmpty();
      world.env.runFor(Duration.ofSeconds(25));

      // node-b7 was selected, and node-b9 is what was committed.
      Decision decision = scheduler.about("risk-api-7f2").getFirst();
      Decision.Evaluation evaluation = Objects.requireNonNull(decision.evaluation());
      assertThat(evaluation.scores().getFirst().candidate()).isEqualTo("node-b7");
      assertThat(decision.actions().getFirst().target())
          .isEqualTo("pods default/risk-api-7f2 to node-b9");
      assertThat(world.nodeOf("risk-api-7f2")).isEqualTo("node-b9");
      world.checkThatNothingIsOvercommitted();
    }
  }

  @Test
  void candidateThatIsRefused_isOnRecord_withTheVersionThatWasSeen() {
    try (var world = new SchedulingWorld(2)) {
      world.node("node-b7", "zone-b", "\"cpu\":\"16\",\"pods\":\"20\",\"example.com/gpu\":\"1\"");
      var scheduler = world.new SchedulerProcess(Profile.DEFAULT);
      world.env.runFor(Duration.ofSeconds(2));
      world.pod(
          "other", "\"schedulerName\":\"somebody\",", "\"cpu\":\"1\",\"example.com/gpu\":\"1\"");
      world.env.runFor(Duration.ofSeconds(1));

      scheduler.network.lag = Duration.ofSeconds(20);
      world.pod("risk-api-7f2", "", "\"cpu\":\"1\",\"example.com/gpu\":\"1\"");
      // Both events are in the air: the pod's, and behind it that the GPU is gone.
      assertThat(world.bind("other", "node-b7")).isEmpty();
      world.env.runFor(Duration.ofSeconds(21));
      assertThat(world.nodeOf("risk-api-7f2")).isEmpty();

      List<Decision> attempts = scheduler.about("risk-api-7f2");
      Decision first = attempts.getFirst();
      ActionRecord bind = first.actions().getFirst();
      assertThat(bind.verb()).isEqualTo("bind");
      assertThat(bind.result()).isEqualTo(ActionRecord.Result.CONFLICT);
      assertThat(bind.preconditions()).startsWith("seen at version ");
      assertThat(bind.detail())
          .contains("node \"node-b7\" has not enough left: Insufficient example.com/gpu");
      // What the refusal taught counts before the view shows it: no second conflict.
      assertThat(attempts.getLast().outcome().kind()).isEqualTo(Decision.Outcome.Kind.WAITING);
      assertThat(attempts.getLast().outcome().detail())
          .startsWith("0/1 nodes are available: 1 Insufficient example.com/gpu.");
      assertThat(scheduler.scheduler.refused()).isEqualTo(1);

      // The GPU is given back, and the pod that waited for it is woken by that.
      scheduler.network.lag = Duration.ZERO;
      world.delete("other");
      world.env.runFor(Duration.ofSeconds(45));
      assertThat(world.nodeOf("risk-api-7f2")).isEqualTo("node-b7");
      world.checkThatNothingIsOvercommitted();
    }
  }
}
