package dev.evenkeel.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.serve.api.ApiResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Clients that bind, create, end and delete pods on two servers of one store, all at once: a
 * namespace never has more of a zone than its share, and every ledger is what the pods in the zone
 * use.
 */
class TenantQuotaSimulation {

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String NODES = "/api/v1/nodes";
  private static final String QUOTAS =
      "/apis/evenkeel.dev/v1alpha1/namespaces/default/tenantquotas";
  private static final int SEEDS = 60;
  private static final int SHARE = 4;
  private static final int BOUND_EACH_MIN = 6;

  @Test
  void parallelBinds_endAtExactlyTheLimit() {
    TwoServers.each(
        SEEDS,
        World::new,
        world -> {
          world.quota();
          world.env.runFor(Duration.ofMillis(20));
          for (int i = 0; i < 20; i++) {
            world.pod(i, "");
          }
          world.env.runFor(Duration.ofSeconds(1));
          List<CompletableFuture<ApiResponse>> binds = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            binds.add(world.bind(i, "c" + i % 3, ""));
          }
          world.env.runFor(Duration.ofSeconds(5));
          assertThat(TwoServers.count(binds, 201)).isEqualTo(SHARE);
          assertThat(TwoServers.count(binds, 403)).isEqualTo(20 - SHARE);
          world.check(true);
        });
  }

  @Test
  void bindsEndsAndDeletes_keepTheLedgerExact() {
    var bound = new AtomicLong();
    TwoServers.each(
        SEEDS,
        World::new,
        world -> {
          world.quota();
          world.env.runFor(Duration.ofMillis(20));
          world.play(150);
          world.check(true);
          bound.addAndGet(TwoServers.count(world.binds, 201));
        });
    // It is about something: bindings were made, not only refused.
    assertThat(bound).hasValueGreaterThan(BOUND_EACH_MIN * SEEDS);
  }

  @Test
  void quotaMadeAmongBinds_countsEachOnce() {
    var bound = new AtomicLong();
    TwoServers.each(
        SEEDS,
        World::new,
        world -> {
          world.play(40);
          world.quota();
          world.play(80);
          // What was there before the quota may be more than it allows.
          world.check(false);
          bound.addAndGet(TwoServers.count(world.binds, 201));
        });
    assertThat(bound).hasValueGreaterThan(BOUND_EACH_MIN * SEEDS);
  }

  private static final class World extends TwoServers {
    private final List<CompletableFuture<ApiResponse>> binds = new ArrayList<>();

    World(long seed) {
      super(seed, ServerSettings.DEFAULTS);
      for (String zone : List.of("b", "c")) {
        for (int i = 0; i < 3; i++) {
          call(
              "POST",
              NODES,
              "{\"metadata\":{\"name\":\"%s%d\",\"labels\":{\"topology.kubernetes.io/zone\":\"zone-%s\"}},\"status\":{\"allocatable\":{\"cpu\":\"4\",\"pods\":\"9\"}}}"
                  .formatted(zone, i, zone));
        }
      }
      // The nodes are used at once: a server may not have seen yet in which zone they are.
      for (CompletableFuture<ApiResponse> answer : answers) {
        assertThat(await(answer).status()).isEqualTo(201);
      }
    }

    void quota() {
      call(
          "POST",
          QUOTAS,
          "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"zone\":\"zone-c\",\"hard\":{\"pods\":\"%d\",\"cpu\":\"3\"}}}"
              .formatted(SHARE));
    }

    void pod(int number, String more) {
      call(
          "POST",
          PODS,
          "{\"metadata\":{\"name\":\"p%d\"},\"spec\":{%s\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"requests\":{\"cpu\":\"500m\"}}}]}}"
              .formatted(number, more));
    }

    CompletableFuture<ApiResponse> bind(int pod, String node, String others) {
      call(
          "POST",
          PODS + "/p" + pod + "/binding",
          "{\"metadata\":{\"name\":\"p%d\",\"annotations\":{\"evenkeel.dev/candidates\":\"%s\"}},\"target\":{\"name\":\"%s\"}}"
              .formatted(pod, others, node));
      binds.add(answers.getLast());
      return answers.getLast();
    }

    private String anyNode() {
      return (random.nextInt(3) == 0 ? "b" : "c") + random.nextInt(3);
    }

    void play(int steps) {
      for (int step = 0; step < steps; step++) {
        int pod = random.nextInt(25);
        String path = PODS + "/p" + pod;
        switch (random.nextInt(10)) {
          case 0, 1, 2 ->
              pod(pod, random.nextInt(5) == 0 ? "\"nodeName\":\"" + anyNode() + "\"," : "");
          case 3, 4, 5, 6 -> {
            var _ = bind(pod, anyNode(), random.nextBoolean() ? anyNode() : "");
          }
          case 7 -> call("DELETE", path + "?gracePeriodSeconds=0", "");
          case 8 -> call("PATCH", path + "/status", "{\"status\":{\"phase\":\"Failed\"}}");
          default ->
              call("PATCH", path, "{\"metadata\":{\"annotations\":{\"evenkeel.dev/zone\":null}}}");
        }
        if (random.nextInt(3) == 0) {
          env.runFor(Duration.ofMillis(random.nextInt(4)));
        }
      }
      env.runFor(Duration.ofSeconds(5));
      assertAnswered(200, 201, 403, 404, 409, 422);
    }

    /** Counts all ledgers anew from the objects, as of one revision. */
    void check(boolean limited) {
      long revision = await(store.currentRevision());
      Amounts used = Amounts.of(Json.parse("{\"pods\":\"0\",\"cpu\":\"0\"}".getBytes(UTF_8)));
      for (JsonNode pod : list("/registry/core/pods/", revision)) {
        String node = pod.path("spec").path("nodeName").asString("");
        String phase = pod.path("status").path("phase").asString("");
        String zone =
            pod.path("metadata").path("annotations").path("evenkeel.dev/zone").asString("");
        assertThat(zone).isEqualTo(node.isEmpty() ? "" : "zone-" + node.charAt(0));
        if (zone.equals("zone-c") && !phase.equals("Failed")) {
          JsonNode container = pod.path("spec").path("containers").path(0);
          used =
              used.plus(Amounts.of(container.path("resources").path("requests")))
                  .plus(Amounts.of(Json.parse("{\"pods\":\"1\"}".getBytes(UTF_8))));
        }
      }
      JsonNode ledger =
          list("/evenkeel/quota/ledgers/default/tenant/q", revision).getFirst().path("used");
      assertThat(ledger.path("pods").asString("")).isEqualTo(used.orZero("pods").toString());
      assertThat(ledger.path("requests.cpu").asString("")).isEqualTo(used.orZero("cpu").toString());
      for (Client client : clients) {
        Client.Answer quota = client.get(QUOTAS + "/q");
        assertThat(quota.text("status", "used", "pods")).isEqualTo(used.orZero("pods").toString());
        assertThat(quota.text("status", "used", "cpu")).isEqualTo(used.orZero("cpu").toString());
      }
      if (limited) {
        assertThat(used.orZero("pods")).isLessThanOrEqualTo(Quantity.of(SHARE));
      }
      assertThat(checkNodes(revision)).hasSize(6);
      checkSettled();
    }
  }
}
