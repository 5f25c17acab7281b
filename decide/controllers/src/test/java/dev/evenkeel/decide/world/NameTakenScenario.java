package dev.evenkeel.decide.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.Decision.ActionRecord;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What a controller wants to create is there already, and is somebody else's. */
class NameTakenScenario {

  private static final Kind<ObjectNode> MAPS = Kind.untyped("v1", "ConfigMap", "configmaps", true);
  private static final Kind<ObjectNode> SECRETS = Kind.untyped("v1", "Secret", "secrets", true);

  /** It does not look whether there is one: who does may still be too early. */
  private static Plan wants(Cached<ObjectNode> map, View view) {
    return map.name().equals("wants")
        ? Plan.empty()
            .create(
                SECRETS,
                World.json("{\"metadata\":{\"name\":\"taken\",\"namespace\":\"default\"}}"),
                "it is wanted")
        : Plan.empty();
  }

  @Test
  void createOfANameThatIsTaken_isTriedAgainAfterPausesThatGrow() {
    try (var world =
        new World(1, 0, List.of(Controller.of("wants", MAPS, NameTakenScenario::wants)))) {
      world.create(SECRETS, "{\"metadata\":{\"name\":\"taken\"}}");
      world.create(MAPS, "{\"metadata\":{\"name\":\"wants\"}}");
      world.env.runFor(Duration.ofMinutes(2));
      List<Decision> tries =
          world.log.newest(
              it ->
                  it.actions().stream()
                      .anyMatch(done -> done.result() == ActionRecord.Result.CONFLICT),
              1_000);
      assertThat(tries).hasSizeBetween(3, 20);
      world.delete(SECRETS, "taken", "{}");
      world.env.runFor(Duration.ofMinutes(6));
      assertThat(world.list(SECRETS)).as("it is made once it can be").hasSize(1);
    }
  }
}
