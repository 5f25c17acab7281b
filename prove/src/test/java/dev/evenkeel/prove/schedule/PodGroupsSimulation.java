package dev.evenkeel.prove.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.cache.Change;
import dev.evenkeel.observe.object.Cached;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * One scheduler, or two that know nothing of each other, late, killed and started anew, their
 * answers lost, place groups and single pods on nodes that are scarce, with bindings by hand among
 * them: at no revision has a group some nodes and too few, no node is ever overcommitted, and in
 * the end nobody waits for whom there is room.
 */
class PodGroupsSimulation {

  private static final int SEEDS = 40;
  private static final int NODES = 4;
  private static final int PLACES = 3;
  private static final int HOLDS_FOR_SECONDS = 15;

  @Test
  void groups_areNeverPlacedInPart_andNobodyWaitsForNothing() {
    int only = Integer.getInteger("evenkeel.groups.seed", -1);
    int seeds = Integer.getInteger("evenkeel.groups.seeds", SEEDS);
    for (int seed = Math.max(only, 0); seed < (only < 0 ? seeds : only + 1); seed++) {
      try (var world = new SchedulingWorld(seed)) {
        new Play(world).play();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + " (-Devenkeel.groups.seed=" + seed + ")", e);
      }
    }
  }

  /** Sees every revision, and has something to say about each. */
  private static final class Witness {
    private final Map<String, Integer> minimums;
    private final Map<String, String> groupOfBound = new HashMap<>();
    private long version;
    final List<String> violations = new ArrayList<>();
    int bound;

    Witness(Map<String, Integer> minimums) {
      this.minimums = minimums;
    }

    void see(Change<ObjectNode> change) {
      if (change.version() > version) {
        check();
        version = change.version();
      }
      Cached<ObjectNode> after = change.after();
      String uid = change.newest().uid();
      if (after == null) {
        groupOfBound.remove(uid);
      } else if (!Meta.text(after.tree().path("spec").path("nodeName")).isEmpty()) {
        groupOfBound.put(uid, SchedulingWorld.groupOf(after.tree()));
      }
    }

    /** All of a revision was seen. */
    void check() {
      Map<String, Integer> counts = new TreeMap<>();
      groupOfBound.values().forEach(group -> counts.merge(group, 1, Integer::sum));
      bound = groupOfBound.size();
      counts.forEach(
          (group, count) -> {
            if (count < minimums.getOrDefault(group, 0)) {
              violations.add(
                  "revision %d: %d of %d pods of %s have a node"
                      .formatted(version, count, minimums.get(group), group));
            }
          });
    }
  }

  private static final class Play {
    private final SchedulingWorld world;
    private final Map<String, Integer> minimums = new HashMap<>();
    private final Witness witness = new Witness(minimums);
    private int singles;

    Play(SchedulingWorld world) {
      this.world = world;
    }

    void play() {
      for (int i = 0; i < NODES; i++) {
        world.node("n" + i, "zone-" + i % 2, "\"cpu\":\"%d\",\"pods\":\"9\"".formatted(PLACES));
      }
      world.witness(SchedulingWorld.PODS, witness::see);
      start();
      // One by itself has to mend what it did wrong; of two, the other might.
      if (world.random.nextBoolean()) {
        start();
      }
      world.env.runFor(Duration.ofSeconds(1));
      for (int step = 0; step < 60; step++) {
        step();
        world.env.runFor(Duration.ofMillis(world.random.nextInt(20)));
        world.checkThatNothingIsOvercommitted();
      }
      for (SchedulingWorld.SchedulerProcess process : world.processes) {
        process.network.lag = Duration.ZERO;
        process.network.lossPercent = 0;
      }
      world.env.runFor(Duration.ofMinutes(6));
      world.checkThatNothingIsOvercommitted();
      witness.check();
      assertThat(witness.violations).isEmpty();
      assertThat(witness.bound).isPositive();
      nobodyWaitsForNothing();
    }

    private void start() {
      SchedulingWorld.SchedulerProcess process = world.new SchedulerProcess(Profile.DEFAULT);
      process.network.lag = Duration.ofMillis(world.random.nextInt(4) * 400L);
      process.network.lossPercent = world.random.nextInt(3) * 5;
    }

    private void step() {
      switch (world.random.nextInt(10)) {
        case 0, 1 -> group();
        case 2, 3 -> world.pod("s" + singles++, "", "\"cpu\":\"1\"");
        case 4 -> {
          if (singles > 0) {
            var _ =
                world.bind("s" + world.random.nextInt(singles), "n" + world.random.nextInt(NODES));
          }
        }
        case 5 -> finish();
        case 6 -> deleteOneThatWaits();
        case 7 -> {
          world.processes.get(world.random.nextInt(world.processes.size())).kill();
          start();
        }
        default -> world.env.runFor(Duration.ofMillis(world.random.nextInt(4_000)));
      }
    }

    /** Its pods come one by one, the group before them or after. */
    private void group() {
      String name = "g" + minimums.size();
      int minimum = 2 + world.random.nextInt(4);
      int members = minimum + world.random.nextInt(2);
      minimums.put(name, minimum);
      boolean first = world.random.nextBoolean();
      if (first) {
        world.group(name, minimum, HOLDS_FOR_SECONDS);
      }
      for (int i = 0; i < members; i++) {
        world.member(name, name + "-" + i, "", "\"cpu\":\"1\"");
      }
      if (!first) {
        world.group(name, minimum, HOLDS_FOR_SECONDS);
      }
    }

    /** What has a node ends, and frees it: a single pod, or all of a group. */
    private void finish() {
      List<ObjectNode> running =
          world.list(SchedulingWorld.PODS).stream()
              .filter(it -> hasNode(it) && !hasEnded(it))
              .toList();
      if (!running.isEmpty()) {
        ObjectNode one = running.get(world.random.nextInt(running.size()));
        String group = SchedulingWorld.groupOf(one);
        running.stream()
            .filter(
                it ->
                    it.equals(one)
                        || (!group.isEmpty() && SchedulingWorld.groupOf(it).equals(group)))
            .forEach(it -> world.status(Meta.name(it), "Succeeded"));
      }
    }

    /** Unless it gets a node at that moment: a group is not to be torn apart by hand. */
    private void deleteOneThatWaits() {
      List<ObjectNode> waiting =
          world.list(SchedulingWorld.PODS).stream().filter(it -> !hasNode(it)).toList();
      if (!waiting.isEmpty()) {
        ObjectNode one = waiting.get(world.random.nextInt(waiting.size()));
        ObjectNode options = SchedulingWorld.json("{\"gracePeriodSeconds\":0}");
        options.putObject("preconditions").put("resourceVersion", Meta.resourceVersion(one));
        var _ =
            world.now(
                world
                    .user
                    .delete(SchedulingWorld.PODS, "default", Meta.name(one), options)
                    .handle((_, _) -> ""));
      }
    }

    private static boolean hasNode(ObjectNode pod) {
      return !Meta.text(pod.path("spec").path("nodeName")).isEmpty();
    }

    private static boolean hasEnded(ObjectNode pod) {
      return Meta.text(pod.path("status").path("phase")).equals("Succeeded");
    }

    /** All pods take one place, so there is room for as many as places are free. */
    private void nobodyWaitsForNothing() {
      List<ObjectNode> pods = world.list(SchedulingWorld.PODS);
      long free = NODES * PLACES - pods.stream().filter(it -> hasNode(it) && !hasEnded(it)).count();
      for (String group : minimums.keySet()) {
        List<ObjectNode> members =
            pods.stream().filter(it -> SchedulingWorld.groupOf(it).equals(group)).toList();
        long placed = members.stream().filter(Play::hasNode).count();
        int needed = (int) Math.max(1, minimums.get(group) - placed);
        if (placed < members.size() && members.size() >= minimums.get(group)) {
          assertThat(free).as(group + " waits and needs " + needed).isLessThan(needed);
        }
      }
      long waiting =
          pods.stream().filter(it -> !hasNode(it) && SchedulingWorld.groupOf(it).isEmpty()).count();
      assertThat(Math.min(free, waiting)).as("%d places, %d pods wait", free, waiting).isZero();
    }
  }
}
