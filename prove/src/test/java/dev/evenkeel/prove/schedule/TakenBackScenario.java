package dev.evenkeel.prove.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.explain.record.Decision;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A placement that was never committed makes room for others when it is taken back. */
class TakenBackScenario {

  @Test
  void podThatFoundNoRoomBecauseOfIt_isWoken() {
    try (var world = new SchedulingWorld(5)) {
      world.node("n", "zone-a", "\"cpu\":\"2\",\"pods\":\"10\"");
      var process = world.new SchedulerProcess(Profile.DEFAULT);
      world.env.runFor(Duration.ofSeconds(1));
      // No binding comes through for longer than one is tried.
      process.network.lossPercent = 100;
      world.pod("first", "", "\"cpu\":\"2\"");
      world.pod("second", "", "\"cpu\":\"2\"");
      world.env.runFor(Duration.ofSeconds(1));
      assertThat(process.about("second").getLast().outcome().detail()).contains("Insufficient cpu");
      world.env.runFor(Duration.ofSeconds(15));
      assertThat(process.about("second"))
          .anySatisfy(
              it ->
                  assertThat(it.waking().reasons())
                      .extracting(Decision.Reason::text)
                      .contains("Pod/first was not bound to n"));
    }
  }
}
