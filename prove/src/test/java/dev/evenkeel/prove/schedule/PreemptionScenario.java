package dev.evenkeel.prove.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.api.Meta;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** A pod that is more important takes the place of one that is less so. */
class PreemptionScenario {

  @Test
  void importantPod_hasALesserOneRemoved_andTakesItsPlaceWhenItIsGone() {
    try (var world = new SchedulingWorld(3)) {
      world.priorityClass("urgent", 1000);
      world.node("n", "zone-a", "\"cpu\":\"2\",\"pods\":\"10\"");
      var process = world.new SchedulerProcess(Profile.DEFAULT);
      world.env.runFor(Duration.ofSeconds(1));
      world.pod("small", "", "\"cpu\":\"500m\"");
      world.pod("large", "", "\"cpu\":\"1500m\"");
      world.env.runFor(Duration.ofSeconds(1));
      assertThat(world.nodeOf("small")).isEqualTo("n");
      assertThat(world.nodeOf("large")).isEqualTo("n");

      world.pod("urgent", "\"priorityClassName\":\"urgent\",", "\"cpu\":\"1\"");
      world.env.runFor(Duration.ofSeconds(20));
      // The one that has to go is told why and is going; the other one stays.
      ObjectNode victim = world.pod("large");
      assertThat(victim.path("metadata").has("deletionTimestamp")).isTrue();
      assertThat(victim.path("status").path("conditions").toString())
          .contains("DisruptionTarget", "PreemptionByScheduler");
      assertThat(world.pod("small").path("metadata").has("deletionTimestamp")).isFalse();
      assertThat(world.nodeOf("urgent")).isEmpty();
      assertThat(Meta.text(world.pod("urgent").path("status").path("nominatedNodeName")))
          .isEqualTo("n");
      List<Decision> preempting =
          process.about("urgent").stream().filter(it -> !it.actions().isEmpty()).toList();
      assertThat(preempting).hasSize(1);
      assertThat(preempting.getFirst().actions().getFirst().because())
          .isEqualTo("it makes room for default/urgent on n");

      // Another that is no more important than the first does not get the room that was made.
      world.pod("late", "", "\"cpu\":\"1500m\"");
      // As a node's agent does when the pod has ended.
      world.delete("large");
      world.env.runFor(Duration.ofSeconds(20));
      assertThat(world.nodeOf("urgent")).isEqualTo("n");
      assertThat(world.nodeOf("late")).isEmpty();
      world.checkThatNothingIsOvercommitted();
    }
  }
}
