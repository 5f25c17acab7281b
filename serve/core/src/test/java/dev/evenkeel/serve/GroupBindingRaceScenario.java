package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Groups and single pods that are bound to the same few nodes and the same share by real threads:
 * everybody is answered, so that no locks were taken in an order that holds up both, and the
 * ledgers are right.
 */
class GroupBindingRaceScenario {

  private static final String GROUPS = "/apis/evenkeel.dev/v1alpha1/namespaces/default/podgroups";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final int PODS_PER_ROUND = 48;
  private static final int ROUNDS = 12;
  private static final int NODES = 6;

  @Test
  void parallelGroups_areAllAnswered_andLedgersAreRight() throws Exception {
    var env = new RealEnv();
    try (Store store = MemoryStore.open(env);
        ApiServer server = ApiServer.open(env, store, ServerSettings.DEFAULTS)) {
      for (int i = 0; i < NODES; i++) {
        made(
            server,
            "/api/v1/nodes",
            "{\"metadata\":{\"name\":\"n%d\",\"labels\":{\"topology.kubernetes.io/zone\":\"zone-%d\"}},\"status\":{\"allocatable\":{\"cpu\":\"60\",\"pods\":\"90\"}}}"
                .formatted(i, i % 2));
      }
      made(
          server,
          "/apis/evenkeel.dev/v1alpha1/namespaces/default/tenantquotas",
          "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"zone\":\"zone-1\",\"hard\":{\"pods\":\"150\"}}}");
      made(server, GROUPS, "{\"metadata\":{\"name\":\"g\"},\"spec\":{\"minMember\":2}}");
      var random = new SplittableRandom(7);
      int bound = 0;
      for (int round = 0; round < ROUNDS; round++) {
        bound += round(server, round, random);
      }
      assertThat(bound).isGreaterThan(ROUNDS);
      check(store);
    }
  }

  /** Makes pods and binds them in groups that overlap, all at once. */
  private static int round(ApiServer server, int round, SplittableRandom random) throws Exception {
    List<CompletableFuture<ApiResponse>> answers = new ArrayList<>();
    for (int i = 0; i < PODS_PER_ROUND; i++) {
      answers.add(
          post(
              server,
              PODS,
              "{\"metadata\":{\"name\":\"p%d-%d\",\"labels\":{\"evenkeel.dev/pod-group\":\"g\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"requests\":{\"cpu\":\"500m\"}}}]}}"
                  .formatted(round, i)));
    }
    await(answers, 201);
    answers.clear();
    for (int i = 0; i < PODS_PER_ROUND; i++) {
      String pod = "p%d-%d".formatted(round, i);
      String next = "p%d-%d".formatted(round, (i + 1) % PODS_PER_ROUND);
      answers.add(
          random.nextInt(4) == 0
              ? post(
                  server,
                  PODS + "/" + pod + "/binding",
                  "{\"target\":{\"name\":\"n%d\"}}".formatted(random.nextInt(NODES)))
              : post(
                  server,
                  GROUPS + "/g/binding",
                  "{\"bindings\":[{\"pod\":\"%s\",\"node\":\"n%d\"},{\"pod\":\"%s\",\"node\":\"n%d\"}]}"
                      .formatted(pod, random.nextInt(NODES), next, random.nextInt(NODES))));
    }
    return await(answers, 201, 403, 409);
  }

  private static int await(List<CompletableFuture<ApiResponse>> answers, Integer... allowed)
      throws Exception {
    int done = 0;
    for (CompletableFuture<ApiResponse> answer : answers) {
      ApiResponse response = answer.get(60, TimeUnit.SECONDS);
      assertThat(response.status()).as(Client.answer(response).toString()).isIn((Object[]) allowed);
      done += response.status() == 201 ? 1 : 0;
    }
    return done;
  }

  private static void made(ApiServer server, String path, String body) throws Exception {
    assertThat(await(List.of(post(server, path, body)), 201)).isEqualTo(1);
  }

  /** Each from some thread of many. */
  private static CompletableFuture<ApiResponse> post(ApiServer server, String path, String body) {
    var request =
        new ApiRequest(
            "POST",
            path,
            "",
            Map.of("content-type", "application/json"),
            Client.ADMIN,
            new ApiRequest.Body(body.getBytes(StandardCharsets.UTF_8)));
    return CompletableFuture.completedFuture(request).thenComposeAsync(server::handle);
  }

  private static void check(Store store) {
    Map<String, List<Demand>> demands = new HashMap<>();
    for (var item :
        store.range(RangeQuery.prefix(Bytes.utf8("/registry/core/pods/"))).join().items()) {
      JsonNode pod = Json.parse(item.value().array());
      String node = pod.path("spec").path("nodeName").asString("");
      demands.computeIfAbsent(node, _ -> new ArrayList<>()).add(Demand.of(pod));
    }
    for (int i = 0; i < NODES; i++) {
      var found =
          store.get(Bytes.utf8("/evenkeel/nodes/ledgers/n" + i), Store.NEWEST).join().item();
      NodeLedger ledger =
          Objects.requireNonNull(NodeLedger.parse(Objects.requireNonNull(found).value().array()));
      assertThat(ledger).isEqualTo(ledger.counted(demands.getOrDefault("n" + i, List.of())));
    }
  }
}
