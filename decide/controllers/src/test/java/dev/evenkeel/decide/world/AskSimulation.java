package dev.evenkeel.decide.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.guard.Mishaps;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A controller that has each config map say how often it is confirmed in a secret that it does not
 * follow: it asks the authority. The secret changes all the time; what is written never goes back
 * behind what was true when the look at it began. A failing run is a seed.
 */
final class AskSimulation {

  private static final int SEEDS = 300;
  private static final Kind<ObjectNode> MAPS = Kind.untyped("v1", "ConfigMap", "configmaps", true);
  private static final Kind<ObjectNode> SECRETS = Kind.untyped("v1", "Secret", "secrets", true);

  private static Plan confirm(Cached<ObjectNode> map, View view) {
    if (!map.name().equals("asks")) {
      return Plan.empty();
    }
    Plan plan = Plan.empty().ask(SECRETS, map.namespace(), "truth");
    View.Answer<ObjectNode> answer = view.asked(SECRETS, map.namespace(), "truth");
    if (answer == null) {
      // What is planned before the answer is there must not be done.
      return plan.patch(map, said("nothing known"), "it is not known yet");
    }
    Cached<ObjectNode> truth = answer.object();
    String now = truth == null ? "none" : truth.labels().getOrDefault("value", "");
    return map.text("data", "truth").equals(now)
        ? plan
        : plan.patch(map, said(now), "the truth is " + now);
  }

  private static ObjectNode said(String what) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    change.putObject("data").put("truth", what);
    return change;
  }

  private static String truth(World world) {
    return world.get(MAPS, "asks").path("data").path("truth").asString("");
  }

  @Test
  void answer_isTheNewest_andNothingIsDoneBeforeItIsThere() {
    World.seeds("ask", SEEDS, AskSimulation::run);
  }

  private static void run(long seed) {
    try (var world =
        new World(seed, 15, List.of(Controller.of("asker", MAPS, AskSimulation::confirm)))) {
      world.create(MAPS, "{\"metadata\":{\"name\":\"asks\"}}");
      int value = 0;
      for (int step = 0; step < 20; step++) {
        world.env.runFor(Duration.ofMillis(world.random.nextInt(30)));
        assertThat(truth(world)).isNotEqualTo("nothing known");
        switch (world.random.nextInt(4)) {
          case 0 -> {
            value++;
            if (value == 1) {
              world.create(
                  SECRETS, "{\"metadata\":{\"name\":\"truth\",\"labels\":{\"value\":\"1\"}}}");
            } else {
              world.patch(
                  SECRETS, "truth", "{\"metadata\":{\"labels\":{\"value\":\"" + value + "\"}}}");
            }
          }
          case 1 -> world.restart();
          case 2 -> world.patch(MAPS, "asks", "{\"data\":{\"step\":\"" + step + "\"}}");
          default -> {}
        }
      }
      world.patch(MAPS, "asks", "{\"data\":{\"step\":\"last\"}}");
      world.settle();
      assertThat(truth(world)).isEqualTo(value == 0 ? "none" : Integer.toString(value));
      Decision last = world.log.newest(it -> it.subject().name().equals("asks"), 1).getFirst();
      assertThat(last.reads()).extracting(Decision.Read::fromAuthority).containsExactly(true);
      assertThat(last.reads().getFirst().found()).isEqualTo(value == 0 ? 0 : 1);
    }
  }

  @Test
  void whoAsksForMoreWithEachAnswer_isStopped() {
    try (var world =
        new World(
            1,
            0,
            List.of(
                Controller.of(
                    "curious",
                    MAPS,
                    (map, view) -> {
                      Plan plan = Plan.empty();
                      for (int i = 0; i < 100; i++) {
                        plan.ask(SECRETS, map.namespace(), "s" + i);
                        if (view.asked(SECRETS, map.namespace(), "s" + i) == null) {
                          break;
                        }
                      }
                      return plan;
                    })))) {
      world.create(MAPS, "{\"metadata\":{\"name\":\"asks\"}}");
      world.env.runFor(Duration.ofMinutes(1));
      assertThat(world.mishaps(Mishaps.Kind.ASKED_TOO_MUCH)).isBetween(2L, 40L);
      Decision last = world.log.newest(it -> it.subject().name().equals("asks"), 1).getFirst();
      assertThat(last.outcome().kind()).isEqualTo(Decision.Outcome.Kind.FAILED);
      assertThat(last.outcome().detail()).startsWith("it asks for more, after 5 rounds");
    }
  }
}
