package dev.evenkeel.decide.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.workload.ReplicaSetReconciler;
import dev.evenkeel.decide.lead.LateView;
import dev.evenkeel.decide.plan.Condition;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a controller sees is older than what it did, or than what the leader before it did. */
final class LateViewScenario {

  private static final String PODS = "/api/v1/pods";
  private static final Kind<ObjectNode> EVENTS = Kind.untyped("v1", "Event", "events", true);
  private static final Kind<ObjectNode> MAPS = Kind.untyped("v1", "ConfigMap", "configmaps", true);

  private static World world(boolean led) {
    return new World(
        1, 0, List.of(ReplicaSetReconciler.controller()), new World.Setting(false, led, false));
  }

  private static void create(World world, int replicas) {
    world.create(
        Kinds.REPLICA_SETS,
        """
        {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web"},
         "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"web"}},
         "template":{"metadata":{"labels":{"app":"web"}},
         "spec":{"containers":[{"name":"c","image":"i"}]}}}}
        """
            .formatted(replicas));
  }

  /** The watch of pods never says anything any more, and whoever asks for pods gets no answer. */
  private static void blind(World world) {
    world.wires().getFirst().silence(PODS, true);
    world.wires().getFirst().readsFailPercent = 100;
  }

  @Test
  void silentWatch_keepsPodsFromBeingMadeAgain_howeverLongItLasts() {
    try (var world = world(false)) {
      world.env.runFor(Duration.ofSeconds(1));
      blind(world);
      create(world, 3);
      for (int i = 0; i < 60; i++) {
        world.env.runFor(Duration.ofMinutes(1));
        assertThat(world.activePods()).hasSize(3);
      }
      world.wires().getFirst().well();
      // The feed tries once a minute, and wakes what waits for it.
      world.env.runFor(Duration.ofSeconds(95));
      assertThat(world.lateViews()).isEmpty();
      world.settle();
      assertThat(world.activePods()).hasSize(3);
      assertThat(world.get(Kinds.REPLICA_SETS, "web").path("status").path("replicas").asInt(0))
          .isEqualTo(3);
    }
  }

  @Test
  void podThatIsGone_isNotDeletedAgain_whileItIsStillShown() {
    try (var world = world(false)) {
      create(world, 3);
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(world.activePods()).hasSize(3);
      blind(world);
      // By somebody else: a delete of them is told that they are gone, and no version to wait for.
      for (ObjectNode pod : world.activePods()) {
        world.delete(Kinds.PODS, Meta.name(pod), "{\"gracePeriodSeconds\":0}");
      }
      for (int i = 0; i < 30; i++) {
        world.patch(
            Kinds.REPLICA_SETS,
            "web",
            "{\"metadata\":{\"labels\":{\"round\":\"%d\"}},\"spec\":{\"replicas\":2}}"
                .formatted(i));
        world.env.runFor(Duration.ofMinutes(1));
      }
      assertThat(
              world.log.newest(
                  it -> it.actions().stream().anyMatch(done -> done.verb().equals("delete")), 100))
          .as("attempts to delete")
          .hasSize(1);
      assertThat(world.lateViews().getFirst().what()).startsWith("the end of pods default/web-");
      world.settle();
      assertThat(world.activePods()).hasSize(2);
    }
  }

  @Test
  void whatIsWaitedFor_isSaid() {
    try (var world = world(false)) {
      world.env.runFor(Duration.ofSeconds(1));
      blind(world);
      create(world, 3);
      world.env.runFor(Duration.ofMinutes(2));
      long newest =
          world.activePods().stream()
              .mapToLong(pod -> Long.parseLong(Meta.resourceVersion(pod)))
              .max()
              .orElseThrow();
      LateView late = world.lateViews().getFirst();
      assertThat(late.key()).hasToString("default/web");
      Instant now = world.env.clock().now();
      assertThat(late.text(now))
          .matches("waiting for version " + newest + " of pods, seen \\d+, for 1[12]\\d s");
      Decision last = world.log.newest(_ -> true, 1).getFirst();
      assertThat(last.outcome().kind()).isEqualTo(Decision.Outcome.Kind.WAITING);
      assertThat(last.outcome().detail()).startsWith("waiting for version " + newest + " of pods");
      assertThat(last.actions()).isEmpty();
      assertThat(world.list(EVENTS))
          .filteredOn(it -> Meta.text(it.path("reason")).equals(Condition.WAITING_FOR_VIEW))
          .singleElement()
          .satisfies(
              it ->
                  assertThat(Meta.text(it.path("message")))
                      .startsWith("waiting for version " + newest + " of pods, seen "));
      world.settle();
      assertThat(world.lateViews()).isEmpty();
    }
  }

  @Test
  void silentWatch_isReplacedInSeconds_onceSomethingIsKnownThatItDoesNotShow() {
    for (boolean forGood : List.of(false, true)) {
      try (var world = world(false)) {
        world.env.runFor(Duration.ofSeconds(1));
        world.wires().getFirst().silence(PODS, forGood);
        create(world, 2);
        world.env.runFor(Duration.ofSeconds(forGood ? 12 : 3));
        assertThat(world.get(Kinds.REPLICA_SETS, "web").path("status").path("replicas").asInt(0))
            .isEqualTo(2);
        world.settle();
      }
    }
  }

  @Test
  void createWithoutAnswer_isPendingUntilTheServerCanBeAsked() {
    try (var world = world(false)) {
      world.env.runFor(Duration.ofSeconds(1));
      LossyTransport wire = world.wires().getFirst();
      blind(world);
      wire.percent = 100;
      create(world, 1);
      world.env.runFor(Duration.ofMinutes(10));
      wire.percent = 0;
      assertThat(world.activePods()).hasSizeLessThanOrEqualTo(1);
      assertThat(
              world.log.newest(
                  it -> it.actions().stream().anyMatch(done -> done.verb().equals("create")), 100))
          .as("attempts to create")
          .hasSize(1);
      assertThat(world.lateViews().getFirst().what())
          .startsWith("word of what became of create pods default/web-")
          .endsWith("no connection");
      world.env.runFor(Duration.ofMinutes(10));
      assertThat(world.activePods()).hasSizeLessThanOrEqualTo(1);
      world.settle();
      assertThat(world.activePods()).hasSize(1);
    }
  }

  /**
   * Nothing happens to the replica set or to its pods when the view comes: what waits must be woken
   * by the view itself, and not when its backoff of minutes is over.
   */
  @Test
  void createThatWasNotMade_isRepeatedAsSoonAsTheViewSaysSo() {
    int notMade = 0;
    for (int seed = 1; seed <= 12; seed++) {
      try (var world =
          new World(
              seed,
              0,
              List.of(ReplicaSetReconciler.controller()),
              new World.Setting(false, false, false))) {
        world.env.runFor(Duration.ofSeconds(1));
        LossyTransport wire = world.wires().getFirst();
        wire.silence(PODS, true);
        wire.readsThatFail = PODS::equals;
        wire.readsFailPercent = 100;
        wire.percent = 100;
        create(world, 1);
        world.env.runFor(Duration.ofSeconds(1));
        wire.percent = 0;
        world.env.runFor(Duration.ofMinutes(40));
        if (!world.activePods().isEmpty()) {
          continue;
        }
        notMade++;
        assertThat(world.lateViews().getFirst().what()).startsWith("version ");
        wire.well();
        // The feed tries once a minute.
        world.env.runFor(Duration.ofSeconds(75));
        assertThat(world.activePods()).as("seed %d", seed).hasSize(1);
      }
    }
    assertThat(notMade).isGreaterThanOrEqualTo(3);
  }

  @Test
  void createThatArrivesLate_meetsItselfUnderItsName() {
    try (var world = world(false)) {
      world.env.runFor(Duration.ofSeconds(1));
      LossyTransport wire = world.wires().getFirst();
      wire.percent = 100;
      wire.latePercent = 100;
      create(world, 1);
      world.env.runFor(Duration.ofMillis(5));
      wire.percent = 0;
      for (int i = 0; i < 60; i++) {
        world.env.runFor(Duration.ofSeconds(1));
        assertThat(world.list(Kinds.PODS)).hasSizeLessThanOrEqualTo(1);
      }
      world.settle();
      assertThat(world.list(Kinds.PODS)).hasSize(1);
      assertThat(
              world.log.newest(
                  it -> it.actions().stream().anyMatch(done -> done.verb().equals("delete")), 1))
          .as("nothing was too many")
          .isEmpty();
    }
  }

  @Test
  void newLeader_waitsUntilItSeesWhatTheOldOneDid() {
    try (var world = world(true)) {
      world.env.runFor(Duration.ofSeconds(5));
      LossyTransport next = world.wires().getLast();
      next.silence(PODS, true);
      next.readsFailPercent = 100;
      next.readsThatFail = path -> path.contains("pods");
      create(world, 3);
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(world.activePods()).hasSize(3);
      world.stopLeader();
      for (int i = 0; i < 10; i++) {
        world.env.runFor(Duration.ofMinutes(1));
        assertThat(world.activePods()).hasSize(3);
      }
      assertThat(world.lateViews().getFirst().text(world.env.clock().now()))
          .matches(
              "waiting for version \\d+ of pods, seen \\d+, with which the term began, for \\d+ s");
      assertThat(world.lateViews().getFirst().key()).isNull();
      world.patch(Kinds.REPLICA_SETS, "web", "{\"spec\":{\"replicas\":4}}");
      world.env.runFor(Duration.ofMinutes(1));
      assertThat(world.activePods()).as("it does not act").hasSize(3);
      next.well();
      world.env.runFor(Duration.ofMinutes(2));
      assertThat(world.activePods()).hasSize(4);
      world.settle();
    }
  }

  @Test
  void newLeaderWithQuietCaches_beginsWithinSeconds() {
    try (var world = world(true)) {
      create(world, 3);
      world.env.runFor(Duration.ofMinutes(10));
      world.stopLeader();
      world.patch(Kinds.REPLICA_SETS, "web", "{\"spec\":{\"replicas\":4}}");
      world.env.runFor(Duration.ofSeconds(8));
      assertThat(world.activePods()).hasSize(4);
    }
  }

  /** A controller that keeps a config map for each gate, and may say in a condition how it goes. */
  private static Controller<Gates.Gate> keeper() {
    return Controller.of(
            "keeper",
            Gates.KIND,
            (Cached<Gates.Gate> _, View view) ->
                view.find(MAPS, World.NAMESPACE, "kept") != null
                    ? Plan.empty()
                    : Plan.empty()
                        .create(
                            MAPS,
                            World.json(
                                """
                                {"apiVersion":"v1","kind":"ConfigMap",
                                 "metadata":{"name":"kept","namespace":"default"}}
                                """),
                            "it is missing"))
        .reading(MAPS)
        .deadline(Duration.ofHours(1), "Ready");
  }

  @Test
  void condition_saysWhatIsWaitedFor_andIsTakenBack() {
    try (var world = new World(1, 0, List.of())) {
      world.define(Gates.Gate.class);
      world.run(keeper());
      world.env.runFor(Duration.ofSeconds(1));
      LossyTransport wire = world.wires().getFirst();
      wire.silence("/api/v1/configmaps", true);
      wire.readsFailPercent = 100;
      wire.readsThatFail = path -> path.contains("configmaps");
      world.create(
          Gates.KIND,
          """
          {"apiVersion":"prove.evenkeel.dev/v1","kind":"Gate","metadata":{"name":"g"},
           "spec":{"port":1}}
          """);
      world.env.runFor(Duration.ofSeconds(1));
      world.patch(Gates.KIND, "g", "{\"spec\":{\"port\":2}}");
      world.env.runFor(Duration.ofMinutes(1));
      String version = Meta.resourceVersion(world.get(MAPS, "kept"));
      ObjectNode gate = world.get(Gates.KIND, "g");
      JsonNode said = gate.path("status").path("conditions").path(0);
      assertThat(Meta.text(said.path("type"))).isEqualTo("Ready");
      assertThat(Meta.text(said.path("status"))).isEqualTo("Unknown");
      assertThat(Meta.text(said.path("reason"))).isEqualTo(Condition.WAITING_FOR_VIEW);
      assertThat(Meta.text(said.path("message")))
          .matches("waiting for version " + version + " of configmaps, seen \\d+, for 1\\d s");
      world.env.runFor(Duration.ofMinutes(30));
      assertThat(Meta.resourceVersion(world.get(Gates.KIND, "g")))
          .as("it is said once")
          .isEqualTo(Meta.resourceVersion(gate));
      world.settle();
      said = world.get(Gates.KIND, "g").path("status").path("conditions").path(0);
      assertThat(Meta.text(said.path("status"))).isEqualTo("True");
      assertThat(Meta.text(said.path("reason"))).isEqualTo("Settled");
    }
  }
}
