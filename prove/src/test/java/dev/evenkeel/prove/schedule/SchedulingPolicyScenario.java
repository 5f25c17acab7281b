package dev.evenkeel.prove.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Two versions of a policy, one of them for a share of the pods; and what decisions say of it. */
class SchedulingPolicyScenario {

  private static final Kind<ObjectNode> POLICIES =
      Kind.untyped("evenkeel.dev/v1alpha1", "SchedulingPolicy", "schedulingpolicies", false);

  private static final String STABLE = "risk-stable v4";
  private static final String CANARY = "risk-canary v5-canary";

  private static ObjectNode policy(SchedulingWorld world, String name, String spec) {
    return world.now(
        world.user.create(
            POLICIES,
            "",
            SchedulingWorld.json(
                "{\"metadata\":{\"name\":\"%s\"},\"spec\":{%s}}".formatted(name, spec))));
  }

  private static void patch(SchedulingWorld world, String name, String spec) {
    var _ =
        world.now(
            world.user.patch(
                POLICIES,
                "",
                name,
                PatchType.MERGE,
                Bytes.utf8("{\"spec\":{" + spec + "}}"),
                new Query()));
  }

  /** What the newest decision on the pod says it was placed by; empty if by no policy. */
  private static String policyOf(SchedulingWorld.SchedulerProcess scheduler, String pod) {
    for (Decision.Read read : scheduler.about(pod).getLast().reads()) {
      if (read.kind().equals("schedulingpolicies.evenkeel.dev")) {
        assertThat(read.version()).isPositive();
        return read.query();
      }
    }
    return "";
  }

  private static Map<String, Integer> placed(
      SchedulingWorld world, SchedulingWorld.SchedulerProcess scheduler, String prefix, int count) {
    for (int i = 0; i < count; i++) {
      world.pod(prefix + i, "", "\"cpu\":\"1m\"");
    }
    world.env.runFor(Duration.ofSeconds(5));
    Map<String, Integer> byPolicy = new HashMap<>();
    for (int i = 0; i < count; i++) {
      assertThat(world.nodeOf(prefix + i)).isNotEmpty();
      byPolicy.merge(policyOf(scheduler, prefix + i), 1, Integer::sum);
    }
    return byPolicy;
  }

  @Test
  void policy_saysWhichVersionIsInForce_andWhyNot() {
    try (var world = new SchedulingWorld(9)) {
      world.new SchedulerProcess(Profile.DEFAULT);
      policy(world, "risk", "\"policyVersion\":\"v4\"");
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(status(world, "risk")).isEqualTo("v4 true InForce, generation 1");
      patch(world, "risk", "\"policyVersion\":\"v5\",\"canaryPercent\":0");
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(status(world, "risk")).isEqualTo("v5 false NoShare, generation 2");
      patch(world, "risk", "\"active\":false");
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(status(world, "risk")).isEqualTo("v5 false Inactive, generation 3");
      String version = Meta.resourceVersion(world.now(world.user.get(POLICIES, "", "risk")));
      world.env.runFor(Duration.ofMinutes(1));
      assertThat(Meta.resourceVersion(world.now(world.user.get(POLICIES, "", "risk"))))
          .isEqualTo(version);
    }
  }

  @Test
  void policyThatNeverCounts_namesTheOneThatDoes_untilThatOneGoes() {
    try (var world = new SchedulingWorld(10)) {
      world.new SchedulerProcess(Profile.DEFAULT);
      policy(world, "b", "\"policyVersion\":\"v1\"");
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(condition(world, "b"))
          .isEqualTo("True InForce: Pods in its scope and share are placed by it.");
      policy(world, "a", "\"policyVersion\":\"v1\"");
      world.env.runFor(Duration.ofSeconds(3));
      assertThat(condition(world, "a")).startsWith("True InForce");
      assertThat(status(world, "b")).isEqualTo("v1 false Shadowed, generation 1");
      assertThat(condition(world, "b"))
          .isEqualTo(
              "False Shadowed: Policy \"a\" counts for all pods in its scope and share: of equally"
                  + " specific ones the first by name does.");
      // A share leaves the rest to the other.
      patch(world, "a", "\"canaryPercent\":50");
      world.env.runFor(Duration.ofSeconds(3));
      assertThat(condition(world, "b")).startsWith("True InForce");
      patch(world, "a", "\"canaryPercent\":100");
      world.env.runFor(Duration.ofSeconds(3));
      assertThat(condition(world, "b")).startsWith("False Shadowed");
      var _ = world.now(world.user.delete(POLICIES, "", "a", SchedulingWorld.json("{}")));
      world.env.runFor(Duration.ofSeconds(3));
      assertThat(condition(world, "b")).startsWith("True InForce");
    }
  }

  @Test
  void policies_shadowEachOtherWhereOneIsForAllPodsOfAnother() {
    try (var world = new SchedulingWorld(11)) {
      world.new SchedulerProcess(Profile.DEFAULT);
      scoped(world, "a-one", "\"namespaces\":[\"one\"]");
      scoped(world, "b-two", "\"namespaces\":[\"two\"]");
      scoped(world, "c-both", "\"namespaces\":[\"one\",\"two\"]");
      scoped(world, "d-more", "\"namespaces\":[\"one\",\"two\",\"three\"]");
      scoped(world, "e-named", "\"namespaces\":[\"one\"],\"schedulerName\":\"other\"");
      scoped(world, "f-all", "\"namespaces\":[]");
      scoped(world, "g-web", "\"podSelector\":{\"matchLabels\":{\"app\":\"web\"}}");
      scoped(world, "h-web", "\"podSelector\":{\"matchLabels\":{\"app\":\"web\"}}");
      scoped(world, "i-api", "\"podSelector\":{\"matchLabels\":{\"app\":\"api\"}}");
      world.env.runFor(Duration.ofSeconds(5));
      for (String name : List.of("a-one", "b-two", "d-more", "e-named", "f-all", "g-web")) {
        assertThat(condition(world, name)).as(name).startsWith("True InForce");
      }
      assertThat(condition(world, "c-both"))
          .startsWith("False Shadowed: Policies \"a-one\", \"b-two\" count for all pods");
      assertThat(condition(world, "h-web")).startsWith("False Shadowed: Policy \"g-web\" counts");
      assertThat(condition(world, "i-api")).startsWith("True InForce");
    }
  }

  @Test
  void policyThatManyWinOver_namesSomeOfThem() {
    try (var world = new SchedulingWorld(12)) {
      world.new SchedulerProcess(Profile.DEFAULT);
      List<String> all = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        all.add("\"n%d\"".formatted(i));
        scoped(world, "a-n" + i, "\"namespaces\":[" + all.getLast() + "]");
      }
      scoped(world, "b", "\"namespaces\":[" + String.join(",", all) + "]");
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(condition(world, "b"))
          .startsWith("False Shadowed: Policies \"a-n0\", \"a-n1\", ")
          .contains("\"a-n7\" and 2 more count for all pods");
    }
  }

  private static void scoped(SchedulingWorld world, String name, String scope) {
    policy(world, name, "\"policyVersion\":\"v1\",\"scope\":{" + scope + "}");
  }

  /** The only one it has. */
  private static String condition(SchedulingWorld world, String policy) {
    JsonNode conditions =
        world.now(world.user.get(POLICIES, "", policy)).path("status").path("conditions");
    assertThat(conditions.size()).isEqualTo(1);
    JsonNode condition = conditions.get(0);
    assertThat(Meta.text(condition.path("type"))).isEqualTo("InForce");
    return "%s %s: %s"
        .formatted(
            Meta.text(condition.path("status")),
            Meta.text(condition.path("reason")),
            Meta.text(condition.path("message")));
  }

  private static String status(SchedulingWorld world, String policy) {
    JsonNode status = world.now(world.user.get(POLICIES, "", policy)).path("status");
    return "%s %s %s, generation %d"
        .formatted(
            Meta.text(status.path("observedVersion")),
            status.path("active").asBoolean(false),
            Meta.text(status.path("reason")),
            status.path("observedGeneration").asLong(0));
  }

  @Test
  void canary_hasItsShareOfThePods_untilItIsTakenBack() {
    try (var world = new SchedulingWorld(1)) {
      for (int i = 0; i < 4; i++) {
        world.node("node-" + i, "zone-" + i % 2, "\"cpu\":\"64\",\"pods\":\"400\"");
      }
      policy(world, "risk-stable", "\"policyVersion\":\"v4\"");
      policy(
          world,
          "risk-canary",
          "\"policyVersion\":\"v5-canary\",\"canaryPercent\":25,"
              + "\"scope\":{\"namespaces\":[\"default\"],\"podSelector\":{\"matchLabels\":{\"app\":\"risk-api\"}}},"
              + "\"weights\":{\"NodeResourcesFit\":5}");
      var scheduler = world.new SchedulerProcess(Profile.DEFAULT);
      world.env.runFor(Duration.ofSeconds(2));

      Map<String, Integer> first = placed(world, scheduler, "first-", 400);
      assertThat(first).containsOnlyKeys(STABLE, CANARY);
      assertThat(first.get(CANARY)).isBetween(70, 130);

      patch(world, "risk-canary", "\"active\":false");
      world.env.runFor(Duration.ofSeconds(1));
      assertThat(placed(world, scheduler, "later-", 40)).containsOnlyKeys(STABLE);
      patch(world, "risk-stable", "\"policyVersion\":\"v4.1\"");
      world.env.runFor(Duration.ofSeconds(1));
      assertThat(placed(world, scheduler, "last-", 10)).containsOnlyKeys("risk-stable v4.1");
      var _ = world.now(world.user.delete(POLICIES, "", "risk-stable", SchedulingWorld.json("{}")));
      world.env.runFor(Duration.ofSeconds(1));
      assertThat(placed(world, scheduler, "none-", 5)).containsOnlyKeys("");
    }
  }

  @Test
  void zoneSkew_keepsAPodFromTheFullerZone_andWithoutIt_thePodIsPlaced() {
    try (var world = new SchedulingWorld(2)) {
      world.node("node-a", "zone-a", "\"cpu\":\"64\",\"pods\":\"100\"");
      world.node("node-b", "zone-b", "\"cpu\":\"2\",\"pods\":\"100\"");
      policy(world, "even", "\"policyVersion\":\"v1\",\"maxZoneSkew\":1");
      var scheduler = world.new SchedulerProcess(Profile.DEFAULT);
      world.env.runFor(Duration.ofSeconds(2));
      for (int i = 0; i < 4; i++) {
        world.pod("even-" + i, "", "\"cpu\":\"2\"");
        world.env.runFor(Duration.ofSeconds(1));
      }
      // Two on node-a, one on node-b, which is full then: the fourth would be one too many.
      assertThat(world.nodeOf("even-2")).isEqualTo("node-a");
      assertThat(world.nodeOf("even-3")).isEmpty();
      Decision waits = scheduler.about("even-3").getFirst();
      assertThat(Objects.requireNonNull(waits.evaluation()).rejections())
          .anyMatch(each -> each.stage().equals("PodTopologySpread") && each.count() == 1);
      assertThat(policyOf(scheduler, "even-3")).isEqualTo("even v1");

      // The policy lets go, and the pod that it held is tried again.
      patch(world, "even", "\"maxZoneSkew\":null,\"policyVersion\":\"v2\"");
      world.env.runFor(Duration.ofSeconds(15));
      assertThat(world.nodeOf("even-3")).isEqualTo("node-a");
      assertThat(policyOf(scheduler, "even-3")).isEqualTo("even v2");
    }
  }

  @Test
  void mostSpecificPolicy_counts_andOfEqualsTheFirstByName() {
    try (var world = new SchedulingWorld(3)) {
      world.node("node-a", "zone-a", "\"cpu\":\"64\",\"pods\":\"100\"");
      policy(world, "z-all", "\"policyVersion\":\"v1\"");
      policy(world, "a-all", "\"policyVersion\":\"v1\"");
      var scheduler = world.new SchedulerProcess(Profile.DEFAULT);
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(placed(world, scheduler, "all-", 3)).containsOnlyKeys("a-all v1");
      policy(
          world,
          "z-here",
          "\"policyVersion\":\"v1\",\"scope\":{\"namespaces\":[\"default\",\"risk\"]}");
      policy(world, "y-there", "\"policyVersion\":\"v1\",\"scope\":{\"namespaces\":[\"risk\"]}");
      policy(
          world,
          "x-other",
          "\"policyVersion\":\"v1\",\"scope\":{\"namespaces\":[\"default\"],\"schedulerName\":\"other\"}");
      world.env.runFor(Duration.ofSeconds(1));
      assertThat(placed(world, scheduler, "here-", 3)).containsOnlyKeys("z-here v1");
      ObjectNode pod = world.pod("here-0");
      // Nothing of it is written on the pod.
      assertThat(Meta.strings(pod.path("metadata").path("annotations")).keySet())
          .isSubsetOf("evenkeel.dev/bound-by", "evenkeel.dev/zone");
    }
  }

  @Test
  void share_isTheSameForEveryScheduler() {
    try (var world = new SchedulingWorld(4)) {
      world.node("node-a", "zone-a", "\"cpu\":\"1\",\"pods\":\"100\"");
      policy(world, "canary", "\"policyVersion\":\"v5\",\"canaryPercent\":50");
      var first = world.new SchedulerProcess(Profile.DEFAULT);
      var second = world.new SchedulerProcess(Profile.DEFAULT);
      world.env.runFor(Duration.ofSeconds(2));
      for (int i = 0; i < 30; i++) {
        // Too large for the node, so that both look.
        world.pod("p" + i, "", "\"cpu\":\"2\"");
      }
      world.env.runFor(Duration.ofSeconds(5));
      List<String> byFirst =
          IntStream.range(0, 30).mapToObj(i -> policyOf(first, "p" + i)).toList();
      List<String> bySecond =
          IntStream.range(0, 30).mapToObj(i -> policyOf(second, "p" + i)).toList();
      assertThat(byFirst).isEqualTo(bySecond).contains("canary v5", "");
    }
  }
}
