package dev.evenkeel.prove.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.kernel.api.Meta;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * Four schedulers that know nothing of each other on nodes that are scarce, late, killed and
 * started anew, their answers lost, with bindings by hand among them: no node is ever
 * overcommitted, and in the end no pod waits for which there is room.
 */
class SchedulersSimulation {

  private static final int SEEDS = 60;
  private static final int PODS = 40;

  @Test
  void manySchedulers_neverOvercommitANode_andLoseNoPod() {
    int only = Integer.getInteger("evenkeel.schedulers.seed", -1);
    int seeds = Integer.getInteger("evenkeel.schedulers.seeds", SEEDS);
    long placed = 0;
    long refused = 0;
    for (int seed = Math.max(only, 0); seed < (only < 0 ? seeds : only + 1); seed++) {
      try (var world = new SchedulingWorld(seed)) {
        play(world);
        placed += world.placed();
        refused += world.refused();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + " (-Devenkeel.schedulers.seed=" + seed + ")", e);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%,d placements committed, %,d refused: %.2f conflicts a bind%n",
        placed,
        refused,
        (double) refused / placed);
    if (only < 0) {
      // Without conflicts nothing would have been shown.
      assertThat(refused).isPositive();
    }
  }

  private static void play(SchedulingWorld world) {
    for (int i = 0; i < 4; i++) {
      world.node("n" + i, "zone-" + i % 2, "\"cpu\":\"3\",\"pods\":\"6\"");
    }
    for (int i = 0; i < 4; i++) {
      start(world);
    }
    world.env.runFor(Duration.ofSeconds(1));
    int made = 0;
    for (int step = 0; step < 80; step++) {
      switch (world.random.nextInt(9)) {
        case 0, 1, 2, 3 -> {
          if (made < PODS) {
            world.pod(
                "p" + made++, "", "\"cpu\":\"%dm\"".formatted(250 * (1 + world.random.nextInt(4))));
          }
        }
        case 4 -> {
          var _ = world.bind("p" + world.random.nextInt(PODS), "n" + world.random.nextInt(4));
        }
        case 5 -> world.delete("p" + world.random.nextInt(PODS));
        case 6 -> world.status("p" + world.random.nextInt(PODS), "Succeeded");
        case 7 -> {
          world.processes.get(world.random.nextInt(world.processes.size())).kill();
          start(world);
        }
        default -> world.env.runFor(Duration.ofMillis(world.random.nextInt(3_000)));
      }
      world.env.runFor(Duration.ofMillis(world.random.nextInt(20)));
      world.checkThatNothingIsOvercommitted();
    }
    for (SchedulingWorld.SchedulerProcess process : world.processes) {
      process.network.lag = Duration.ZERO;
      process.network.lossPercent = 0;
    }
    world.env.runFor(Duration.ofMinutes(2));
    world.checkThatNothingIsOvercommitted();
    nobodyWaitsForNothing(world);
  }

  private static void start(SchedulingWorld world) {
    SchedulingWorld.SchedulerProcess process = world.new SchedulerProcess(Profile.DEFAULT);
    process.network.lag = Duration.ofMillis(world.random.nextInt(4) * 400L);
    process.network.lossPercent = world.random.nextInt(3) * 5;
  }

  /** Who waits, waits because no node has room for it. */
  private static void nobodyWaitsForNothing(SchedulingWorld world) {
    List<ObjectNode> pods = world.list(SchedulingWorld.PODS);
    for (ObjectNode pod : pods) {
      String phase = Meta.text(pod.path("status").path("phase"));
      if (phase.equals("Succeeded") || !Meta.text(pod.path("spec").path("nodeName")).isEmpty()) {
        continue;
      }
      for (int i = 0; i < 4; i++) {
        assertThat(world.bind(Meta.name(pod), "n" + i))
            .as(Meta.name(pod) + " on n" + i)
            .contains("has not enough left");
      }
    }
  }
}
