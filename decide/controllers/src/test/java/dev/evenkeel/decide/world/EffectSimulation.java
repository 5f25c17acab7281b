package dev.evenkeel.decide.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.Decision.ActionRecord;
import dev.evenkeel.kernel.api.Meta;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A controller of things outside, on the real server and a cloud that makes two of what it is asked
 * for twice. Controllers crash, answers of both get lost or never come, objects change and go:
 * there are never two gates for one object, in the end there is the one that is wanted, and none
 * for objects that are gone. A failing run is a seed.
 */
final class EffectSimulation {

  private static final int SEEDS = 400;
  private static final int STEPS = 40;

  /** A world with a cloud. */
  private static final class Run implements AutoCloseable {
    final World world;
    final Cloud cloud;

    Run(long seed, int faultPercent) {
      this(seed, faultPercent, Duration.ofDays(1));
    }

    Run(long seed, int faultPercent, Duration deadline) {
      world = new World(seed, faultPercent / 2, List.of());
      world.define(Gates.Gate.class);
      cloud = new Cloud(world.env, World.random(seed + 1_000_000), faultPercent);
      world.run(Gates.controller(cloud).deadline(deadline, "Ready"));
    }

    void want(String name, int port) {
      world.create(
          Gates.KIND,
          """
          {"apiVersion":"prove.evenkeel.dev/v1","kind":"Gate","metadata":{"name":"%s"},
           "spec":{"port":%d}}
          """
              .formatted(name, port));
    }

    String key(ObjectNode gate) {
      return "gate/" + Meta.uid(gate) + "/gate";
    }

    void neverTwo() {
      assertThat(cloud.gates.values()).allSatisfy(it -> assertThat(it).hasSizeLessThan(2));
    }

    ObjectNode ready(String name) {
      for (JsonNode condition : world.get(Gates.KIND, name).path("status").path("conditions")) {
        if (Meta.text(condition.path("type")).equals("Ready")) {
          return (ObjectNode) condition;
        }
      }
      throw new AssertionError("nothing is said of " + name);
    }

    @Override
    public void close() {
      world.close();
    }
  }

  @Test
  void gates_areNeverTwo_andInTheEndAsWanted() {
    World.seeds("effect", SEEDS, EffectSimulation::run);
  }

  private static void run(long seed) {
    try (var run = new Run(seed, 20)) {
      World world = run.world;
      Random random = world.random;
      Map<String, Integer> wanted = new HashMap<>();
      for (int step = 0; step < STEPS; step++) {
        world.env.runFor(Duration.ofMillis(random.nextInt(80)));
        run.neverTwo();
        String name = "g" + random.nextInt(3);
        switch (random.nextInt(6)) {
          case 0, 1 -> {
            int port = 1 + random.nextInt(4);
            boolean there =
                world.list(Gates.KIND).stream().anyMatch(it -> Meta.name(it).equals(name));
            if (there) {
              world.patch(Gates.KIND, name, "{\"spec\":{\"port\":" + port + "}}");
            } else {
              run.want(name, port);
            }
            if (!there || wanted.containsKey(name)) {
              wanted.put(name, port);
            }
          }
          case 2 -> {
            if (wanted.remove(name) != null) {
              world.delete(Gates.KIND, name, "{}");
            }
          }
          case 3 -> world.restart();
          case 4 -> world.env.runFor(Duration.ofSeconds(random.nextInt(40)));
          default -> {}
        }
      }
      run.cloud.faultPercent = 0;
      world.settle();
      run.neverTwo();
      check(run, wanted);
    }
  }

  private static void check(Run run, Map<String, Integer> wanted) {
    List<ObjectNode> there = run.world.list(Gates.KIND);
    assertThat(there).extracting(Meta::name).containsExactlyInAnyOrderElementsOf(wanted.keySet());
    int living = 0;
    for (ObjectNode gate : there) {
      List<ObjectNode> gates = run.cloud.gates.getOrDefault(run.key(gate), List.of());
      assertThat(gates).as("gates of %s", Meta.name(gate)).hasSize(1);
      assertThat(gates.getFirst().path("port").asInt(0)).isEqualTo(wanted.get(Meta.name(gate)));
      assertThat(gate.path("status").path("ip")).isEqualTo(gates.getFirst().path("ip"));
      ObjectNode ready = run.ready(Meta.name(gate));
      assertThat(Meta.text(ready.path("status"))).isEqualTo("True");
      assertThat(ready.path("observedGeneration").asLong(-1))
          .isEqualTo(gate.path("metadata").path("generation").asLong(-2));
      living++;
    }
    assertThat(run.cloud.gates.values().stream().filter(it -> !it.isEmpty())).hasSize(living);
  }

  @Test
  void operation_hasOneIdHoweverOftenItIsTried() {
    try (var run = new Run(1, 0)) {
      run.cloud.refusing = "closed";
      run.want("a", 80);
      run.world.env.runFor(Duration.ofSeconds(20));
      run.world.restart();
      run.world.env.runFor(Duration.ofSeconds(20));
      assertThat(run.cloud.acts).isGreaterThan(3);
      assertThat(run.cloud.ids).hasSize(1);
      run.cloud.refusing = "";
      run.world.settle();
      run.world.patch(Gates.KIND, "a", "{\"spec\":{\"port\":81}}");
      run.world.settle();
      assertThat(run.cloud.ids).hasSize(2);
      List<Decision> acted =
          run.world.log.newest(
              it -> it.actions().stream().anyMatch(each -> each.verb().equals("effect")), 1_000);
      assertThat(acted.getFirst().actions().getFirst().target()).isEqualTo("cloud gate");
      assertThat(acted.stream().flatMap(it -> it.actions().stream()))
          .filteredOn(it -> it.verb().equals("effect"))
          .extracting(ActionRecord::preconditions)
          .allSatisfy(
              it -> assertThat(run.cloud.ids).contains(it.substring("operation ".length())));
    }
  }

  @Test
  void silentCloud_isNotWaitedForForEver_andNothingIsRepeatedThatWasDone() {
    try (var run = new Run(3, 0)) {
      run.cloud.silent = true;
      run.want("a", 80);
      run.world.env.runFor(Duration.ofMinutes(2));
      assertThat(Meta.text(run.ready("a").path("status"))).isEqualTo("True");
      assertThat(run.cloud.acts).isEqualTo(1);
      run.neverTwo();
    }
  }

  @Test
  void requestThatArrivesLate_isNotDoneTwice_forItIsRepeatedUnderItsId() {
    try (var run = new Run(3, 0)) {
      run.cloud.knowsIds = true;
      run.cloud.lateness = Duration.ofMinutes(2);
      run.want("a", 80);
      run.world.env.runFor(Duration.ofMinutes(1));
      run.world.restart();
      run.world.settle();
      assertThat(run.cloud.acts).isGreaterThan(2);
      assertThat(run.cloud.made).isEqualTo(1);
      run.neverTwo();
      assertThat(Meta.text(run.ready("a").path("status"))).isEqualTo("True");
    }
  }

  @Test
  void deadline_changesTheConditionAndNotTheWill() {
    try (var run = new Run(1, 0, Duration.ofMinutes(1))) {
      run.cloud.refusing = "no gates left";
      run.want("a", 80);
      run.world.env.runFor(Duration.ofSeconds(50));
      assertThat(run.world.get(Gates.KIND, "a").path("status").has("conditions")).isFalse();
      run.world.env.runFor(Duration.ofSeconds(60));
      ObjectNode late = run.ready("a");
      assertThat(Meta.text(late.path("status"))).isEqualTo("False");
      assertThat(Meta.text(late.path("reason"))).isEqualTo("DeadlineExceeded");
      assertThat(Meta.text(late.path("message")))
          .startsWith("not settled within 60 s: no gates left");
      long version = version(run);
      int acts = run.cloud.acts;
      run.world.restart();
      run.world.env.runFor(Duration.ofMinutes(10));
      assertThat(run.cloud.acts).isBetween(acts + 2, acts + 100);
      assertThat(version(run)).isEqualTo(version);
      run.cloud.refusing = "";
      run.world.settle();
      assertThat(Meta.text(run.ready("a").path("reason"))).isEqualTo("Open");
    }
  }

  private static long version(Run run) {
    return Long.parseLong(Meta.resourceVersion(run.world.get(Gates.KIND, "a")));
  }

  @Test
  void finalizer_isThereBeforeTheFirstEffect_andGoneWithTheLast() {
    try (var run = new Run(1, 0)) {
      run.want("a", 80);
      for (int i = 0; i < 500; i++) {
        run.world.env.runFor(Duration.ofMillis(1));
        boolean marked =
            run.world.get(Gates.KIND, "a").path("metadata").path("finalizers").size() == 1;
        assertThat(marked || run.cloud.acts == 0).isTrue();
      }
      assertThat(run.cloud.made).isEqualTo(1);
      run.cloud.refusing = "later";
      run.world.delete(Gates.KIND, "a", "{}");
      run.world.env.runFor(Duration.ofMinutes(1));
      assertThat(run.world.list(Gates.KIND)).hasSize(1);
      run.cloud.refusing = "";
      run.world.settle();
      assertThat(run.world.list(Gates.KIND)).isEmpty();
      assertThat(run.cloud.gates.values()).allSatisfy(it -> assertThat(it).isEmpty());
    }
  }

  @Test
  void condition_keepsItsTimeUntilItsStatusChanges() {
    try (var run = new Run(1, 0)) {
      run.want("a", 80);
      run.world.settle();
      String since = Meta.text(run.ready("a").path("lastTransitionTime"));
      assertThat(run.ready("a").path("observedGeneration").asLong(0)).isEqualTo(1);
      run.world.patch(Gates.KIND, "a", "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");
      long version = version(run);
      run.world.settle();
      assertThat(version(run)).isEqualTo(version);
      run.world.patch(Gates.KIND, "a", "{\"spec\":{\"port\":81}}");
      run.world.settle();
      ObjectNode ready = run.ready("a");
      assertThat(ready.path("observedGeneration").asLong(0)).isEqualTo(2);
      assertThat(Meta.text(ready.path("lastTransitionTime"))).isEqualTo(since);
    }
  }
}
