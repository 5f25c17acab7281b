package dev.evenkeel.prove.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Pods that wait are tried again when something changed that helps, and told what came of it. */
class WakingScenario {

  private static void patch(
      SchedulingWorld world, Kind<ObjectNode> kind, String namespace, String name, String change) {
    var _ =
        world.now(
            world.user.patch(
                kind, namespace, name, PatchType.MERGE, Bytes.utf8(change), new Query()));
    world.env.runFor(Duration.ofSeconds(15));
  }

  @Test
  void podThatJoinsItsGroup_isPlacedWithIt() {
    try (var world = new SchedulingWorld(7)) {
      world.node("n", "zone-a", "\"cpu\":\"4\",\"pods\":\"10\"");
      var _ = world.new SchedulerProcess(Profile.DEFAULT);
      world.group("real", 2, 60);
      world.member("real", "a0", "", "\"cpu\":\"1\"");
      world.member("typo", "a1", "", "\"cpu\":\"1\"");
      world.env.runFor(Duration.ofSeconds(15));
      assertThat(world.nodeOf("a1")).isEmpty();
      patch(
          world,
          SchedulingWorld.PODS,
          "default",
          "a1",
          "{\"metadata\":{\"labels\":{\"evenkeel.dev/pod-group\":\"real\"}}}");
      assertThat(world.nodeOf("a0")).isEqualTo("n");
      assertThat(world.nodeOf("a1")).isEqualTo("n");
    }
  }

  @Test
  void podThatWasToBeSpreadOverAZone_isPlacedWhenTheZoneIsGone() {
    try (var world = new SchedulingWorld(7)) {
      world.node("a", "zone-a", "\"cpu\":\"4\",\"pods\":\"10\"");
      world.node("b", "zone-b", "\"cpu\":\"4\",\"pods\":\"10\"");
      world.node("c", "zone-c", "\"cpu\":\"100m\",\"pods\":\"10\"");
      var _ = world.new SchedulerProcess(Profile.DEFAULT);
      String spread =
          "\"topologySpreadConstraints\":[{\"maxSkew\":1,\"topologyKey\":\"topology.kubernetes.io/zone\","
              + "\"whenUnsatisfiable\":\"DoNotSchedule\",\"labelSelector\":{\"matchLabels\":{\"app\":\"risk-api\"}}}],";
      for (int i = 0; i < 3; i++) {
        world.pod("p" + i, spread, "\"cpu\":\"300m\"");
        world.env.runFor(Duration.ofSeconds(5));
      }
      assertThat(world.nodeOf("p2")).isEmpty();
      var _ =
          world.now(
              world.user.delete(
                  SchedulingWorld.NODES, "", "c", JsonNodeFactory.instance.objectNode()));
      world.env.runFor(Duration.ofSeconds(15));
      assertThat(world.nodeOf("p2")).isNotEmpty();
    }
  }

  @Test
  void roomThatDoesAPodNoGood_isPromisedToItNoLonger() {
    try (var world = new SchedulingWorld(3)) {
      world.priorityClass("urgent", 1000);
      world.node("n", "zone-a", "\"cpu\":\"2\",\"pods\":\"10\"");
      var _ = world.new SchedulerProcess(Profile.DEFAULT);
      world.pod("low", "", "\"cpu\":\"1500m\"");
      world.env.runFor(Duration.ofSeconds(1));
      world.pod("urgent", "\"priorityClassName\":\"urgent\",", "\"cpu\":\"1500m\"");
      world.env.runFor(Duration.ofSeconds(15));
      assertThat(nominated(world)).isEqualTo("n");
      patch(
          world,
          SchedulingWorld.NODES,
          "",
          "n",
          "{\"spec\":{\"taints\":[{\"key\":\"foo\",\"value\":\"x\",\"effect\":\"NoSchedule\"}]}}");
      world.delete("low");
      world.env.runFor(Duration.ofSeconds(15));
      assertThat(nominated(world)).isEmpty();
      world.pod(
          "tolerant",
          "\"tolerations\":[{\"key\":\"foo\",\"operator\":\"Exists\"}],",
          "\"cpu\":\"1500m\"");
      world.env.runFor(Duration.ofSeconds(15));
      assertThat(world.nodeOf("tolerant")).isEqualTo("n");
    }
  }

  private static String nominated(SchedulingWorld world) {
    return Meta.text(world.pod("urgent").path("status").path("nominatedNodeName"));
  }

  private static final String HERE =
      "\"nodeSelector\":{\"topology.kubernetes.io/zone\":\"zone-a\"},";

  /** Room for {@code late} is there, but promised to {@code urgent}, which waits for more. */
  private static SchedulingWorld withPromisedRoom() {
    var world = new SchedulingWorld(5);
    world.priorityClass("urgent", 1000);
    world.node("n", "zone-a", "\"cpu\":\"4\",\"pods\":\"10\"");
    world.node("elsewhere", "zone-b", "\"cpu\":\"4\",\"pods\":\"10\"");
    var process = world.new SchedulerProcess(Profile.DEFAULT);
    world.pod("low-1", HERE, "\"cpu\":\"2\"");
    world.pod("low-2", HERE, "\"cpu\":\"2\"");
    world.env.runFor(Duration.ofSeconds(1));
    world.pod("urgent", HERE + "\"priorityClassName\":\"urgent\",", "\"cpu\":\"3\"");
    world.env.runFor(Duration.ofSeconds(15));
    assertThat(nominated(world)).isEqualTo("n");
    world.delete("low-1");
    world.env.runFor(Duration.ofSeconds(15));
    world.pod("late", HERE, "\"cpu\":\"1\"");
    world.env.runFor(Duration.ofSeconds(15));
    assertThat(world.nodeOf("late")).isEmpty();
    assertThat(world.pod("late").path("status").path("conditions").toString())
        .contains("1 node(s) had room held for nominated pods")
        .doesNotContain("Insufficient cpu");
    assertThat(process.about("late")).hasSize(1);
    return world;
  }

  @Test
  void podFromWhichRoomIsHeld_isPlacedWhenThePodIsGoneForWhichItWas() {
    try (var world = withPromisedRoom()) {
      world.delete("urgent");
      world.env.runFor(Duration.ofSeconds(15));
      assertThat(world.nodeOf("late")).isEqualTo("n");
    }
  }

  @Test
  void podFromWhichRoomIsHeld_isPlacedWhenThePodIsBoundElsewhere() {
    try (var world = withPromisedRoom()) {
      assertThat(world.bind("urgent", "elsewhere")).isEmpty();
      world.env.runFor(Duration.ofSeconds(15));
      assertThat(world.nodeOf("late")).isEqualTo("n");
    }
  }

  @Test
  void podWhoseBindingIsRefused_isToldWhy() {
    try (var world = new SchedulingWorld(3)) {
      var _ =
          world.now(
              world.user.create(
                  SchedulingWorld.ADMISSION_POLICIES,
                  "",
                  SchedulingWorld.json(
                      "{\"metadata\":{\"name\":\"no\"},\"spec\":{\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":[\"\"],"
                          + "\"apiVersions\":[\"v1\"],\"operations\":[\"CREATE\"],\"resources\":[\"pods/binding\"]}]},\"validations\":[{\"expression\":\"false\",\"message\":\"not"
                          + " on my nodes\"}]}}")));
      var _ =
          world.now(
              world.user.create(
                  SchedulingWorld.ADMISSION_BINDINGS,
                  "",
                  SchedulingWorld.json(
                      "{\"metadata\":{\"name\":\"no\"},\"spec\":{\"policyName\":\"no\",\"validationActions\":[\"Deny\"]}}")));
      world.node("n", "zone-a", "\"cpu\":\"2\",\"pods\":\"10\"");
      var _ = world.new SchedulerProcess(Profile.DEFAULT);
      world.env.runFor(Duration.ofSeconds(1));
      world.pod("p", "", "\"cpu\":\"1\"");
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(world.pod("p").path("status").path("conditions").toString())
          .contains("not on my nodes");
      assertThat(world.events()).anyMatch(it -> it.contains("not on my nodes"));
    }
  }
}
