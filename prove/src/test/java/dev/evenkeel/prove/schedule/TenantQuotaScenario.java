package dev.evenkeel.prove.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.Decision.ActionRecord;
import dev.evenkeel.explain.record.Decision.Outcome;
import dev.evenkeel.explain.record.Decision.Rejection;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A replica that is pending: the topology filter rejects zone-a and zone-b, and the tenant's quota
 * rejects zone-c. It says so; capacity would not help, and freeing the quota does.
 */
class TenantQuotaScenario {

  private static final Kind<ObjectNode> QUOTAS =
      Kind.untyped("evenkeel.dev/v1alpha1", "TenantQuota", "tenantquotas", true);
  private static final Kind<ObjectNode> EVENTS = Kind.untyped("v1", "Event", "events", true);

  private static final String GPU = "\"cpu\":\"1\",\"example.com/gpu\":\"1\"";

  /** At most one more in a zone than in the others. */
  private static final String SPREAD =
      "\"topologySpreadConstraints\":[{\"maxSkew\":1,\"topologyKey\":\"topology.kubernetes.io/zone\","
          + "\"whenUnsatisfiable\":\"DoNotSchedule\",\"labelSelector\":{\"matchLabels\":{\"app\":\"risk-api\"}}}],";

  private static void quota(SchedulingWorld world, String name, String zone, int gpus) {
    var _ =
        world.now(
            world.user.create(
                QUOTAS,
                "default",
                SchedulingWorld.json(
                    "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"zone\":\"%s\",\"hard\":{\"example.com/gpu\":\"%d\"}}}"
                        .formatted(name, zone, gpus))));
  }

  private static JsonNode scheduled(SchedulingWorld world, String pod) {
    for (JsonNode condition : world.pod(pod).path("status").path("conditions")) {
      if (Meta.text(condition.path("type")).equals("PodScheduled")) {
        return condition;
      }
    }
    throw new AssertionError("the pod says nothing of its scheduling");
  }

  @Test
  void replicaHeldByAQuota_saysSo_andBindsOnceItIsFreed() {
    try (var world = new SchedulingWorld(1)) {
      for (int i = 0; i < 6; i++) {
        for (String zone : List.of("a", "b", "c")) {
          world.node(
              "node-" + zone + i,
              "zone-" + zone,
              "\"cpu\":\"16\",\"pods\":\"20\",\"example.com/gpu\":\"8\"");
        }
      }
      quota(world, "risk-zone-c", "zone-c", 2);
      var scheduler = world.new SchedulerProcess(Profile.DEFAULT);
      world.env.runFor(Duration.ofSeconds(2));

      // Two jobs of the tenant have all that it may have of zone-c.
      world.pod("job-1", "\"nodeName\":\"node-c1\",", GPU.replace("cpu\":\"1", "cpu\":\"2"));
      world.pod("job-2", "\"nodeName\":\"node-c2\",", GPU);
      for (String job : List.of("job-1", "job-2")) {
        relabel(world, job);
      }
      for (int i = 0; i < 2; i++) {
        world.pod("risk-api-" + i, SPREAD, GPU);
      }
      world.env.runFor(Duration.ofSeconds(3));
      assertThat(world.nodeOf("risk-api-0")).doesNotStartWith("node-c").isNotEmpty();
      assertThat(world.nodeOf("risk-api-1")).doesNotStartWith("node-c").isNotEmpty();

      // Desired replicas increase: zone-a and zone-b have one each, so the next must go to zone-c.
      world.pod("risk-api-042", SPREAD, GPU);
      world.env.runFor(Duration.ofSeconds(3));
      assertThat(world.nodeOf("risk-api-042")).isEmpty();

      Decision looked = scheduler.about("risk-api-042").getFirst();
      assertThat(looked.outcome().kind()).isEqualTo(Outcome.Kind.WAITING);
      List<Rejection> rejections = Objects.requireNonNull(looked.evaluation()).rejections();
      assertThat(rejections).hasSize(2);
      assertThat(rejections.getFirst().stage()).isEqualTo("PodTopologySpread");
      assertThat(rejections.getFirst().count()).isEqualTo(12);
      assertThat(rejections.getLast().stage()).isEqualTo("TenantQuota");
      assertThat(rejections.getLast().reason())
          .isEqualTo("quota/risk-zone-c: 2 of 2 example.com/gpu used");
      assertThat(rejections.getLast().count()).isEqualTo(6);
      assertThat(rejections.getLast().samples()).allMatch(node -> node.startsWith("node-c"));
      assertThat(looked.reads())
          .anyMatch(read -> read.kind().equals("tenantquotas.evenkeel.dev") && read.version() > 0);

      // What users read says the same.
      String message =
          "0/18 nodes are available: 12 node(s) didn't match pod topology spread constraints,"
              + " 6 quota/risk-zone-c: 2 of 2 example.com/gpu used.";
      JsonNode condition = scheduled(world, "risk-api-042");
      assertThat(Meta.text(condition.path("status"))).isEqualTo("False");
      assertThat(Meta.text(condition.path("reason"))).isEqualTo("Unschedulable");
      assertThat(Meta.text(condition.path("message"))).startsWith(message);
      assertThat(world.list(EVENTS))
          .anyMatch(
              event ->
                  Meta.text(event.path("reason")).equals("FailedScheduling")
                      && Meta.text(event.path("involvedObject").path("name")).equals("risk-api-042")
                      && Meta.text(event.path("message")).startsWith(message));

      // More nodes are of no use; it is tried, and waits on.
      world.node("node-c9", "zone-c", "\"cpu\":\"16\",\"pods\":\"20\",\"example.com/gpu\":\"8\"");
      world.env.runFor(Duration.ofSeconds(10));
      assertThat(world.nodeOf("risk-api-042")).isEmpty();

      // The quota is freed, the scheduler sees it, and the replica binds to a node in zone-c.
      world.status("job-1", "Succeeded");
      world.env.runFor(Duration.ofSeconds(15));
      assertThat(world.nodeOf("risk-api-042")).startsWith("node-c");
      Decision bound = scheduler.about("risk-api-042").getLast();
      assertThat(bound.waking().reasons())
          .anyMatch(
              reason -> reason.toString().contains("TenantQuota/default/risk-zone-c was freed"));
      assertThat(bound.actions().getFirst().result()).isEqualTo(ActionRecord.Result.DONE);
      world.checkThatNothingIsOvercommitted();
    }
  }

  /** So that the jobs are not of those that are spread. */
  private static void relabel(SchedulingWorld world, String pod) {
    var _ =
        world.now(
            world.user.patch(
                SchedulingWorld.PODS,
                "default",
                pod,
                PatchType.MERGE,
                Bytes.utf8("{\"metadata\":{\"labels\":{\"app\":\"job\"}}}"),
                new Query()));
  }

  @Test
  void freeingAQuota_wakesThoseItHeld_andNobodyElse() {
    try (var world = new SchedulingWorld(2)) {
      world.node("node-b", "zone-b", "\"cpu\":\"16\",\"pods\":\"20\",\"example.com/gpu\":\"8\"");
      world.node("node-c", "zone-c", "\"cpu\":\"16\",\"pods\":\"20\",\"example.com/gpu\":\"8\"");
      quota(world, "in-b", "zone-b", 0);
      quota(world, "in-c", "zone-c", 0);
      var scheduler = world.new SchedulerProcess(Profile.DEFAULT);
      world.env.runFor(Duration.ofSeconds(2));
      String only = "\"nodeSelector\":{\"topology.kubernetes.io/zone\":\"zone-%s\"},";
      world.pod("wants-b", only.formatted("b"), GPU);
      world.pod("wants-c", only.formatted("c"), GPU);
      world.env.runFor(Duration.ofSeconds(20));
      int before = scheduler.about("wants-b").size();
      var _ =
          world.now(
              world.user.patch(
                  QUOTAS,
                  "default",
                  "in-c",
                  PatchType.MERGE,
                  Bytes.utf8("{\"spec\":{\"hard\":{\"example.com/gpu\":\"5\"}}}"),
                  new Query()));
      world.env.runFor(Duration.ofSeconds(20));
      assertThat(world.nodeOf("wants-c")).isEqualTo("node-c");
      assertThat(world.nodeOf("wants-b")).isEmpty();
      // A pod on another node changes nothing for it either.
      assertThat(scheduler.about("wants-b")).hasSize(before);
    }
  }

  @Test
  void quotaThatIsFullerThanItLooks_isRefusedOnce_andThePodWaitsForIt() {
    try (var world = new SchedulingWorld(3)) {
      world.node("node-c", "zone-c", "\"cpu\":\"16\",\"pods\":\"20\",\"example.com/gpu\":\"8\"");
      quota(world, "in-c", "zone-c", 1);
      var scheduler = world.new SchedulerProcess(Profile.DEFAULT);
      world.env.runFor(Duration.ofSeconds(2));
      world.pod("other", "\"schedulerName\":\"somebody\",", GPU);
      world.env.runFor(Duration.ofSeconds(1));
      scheduler.network.lag = Duration.ofSeconds(20);
      world.pod("risk-api-7f2", "", GPU);
      assertThat(world.bind("other", "node-c")).isEmpty();
      world.env.runFor(Duration.ofSeconds(21));
      assertThat(world.nodeOf("risk-api-7f2")).isEmpty();
      List<Decision> attempts = scheduler.about("risk-api-7f2");
      assertThat(attempts.getFirst().actions().getFirst().result())
          .isEqualTo(ActionRecord.Result.CONFLICT);
      assertThat(attempts.getLast().outcome().kind()).isEqualTo(Outcome.Kind.WAITING);
      assertThat(attempts.getLast().outcome().detail())
          .startsWith("0/1 nodes are available: 1 quota/in-c: 1 of 1 example.com/gpu used.");
      assertThat(scheduler.scheduler.refused()).isEqualTo(1);

      scheduler.network.lag = Duration.ZERO;
      world.delete("other");
      world.env.runFor(Duration.ofSeconds(45));
      assertThat(world.nodeOf("risk-api-7f2")).isEqualTo("node-c");
    }
  }
}
