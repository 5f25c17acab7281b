package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many clients at once on two servers of one store, each seed another interleaving: a quota ends
 * full and never over, and nobody hears of anything but the quota.
 */
class QuotaSimulation {

  private static final String QUOTAS = "/api/v1/namespaces/default/resourcequotas";
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void parallelCreates_endAtExactlyTheLimit(long seed) {
    try (var world = new World(seed)) {
      world.quota("q", "configmaps", 30);
      world.quota("other", "secrets", 5);
      List<CompletableFuture<ApiResponse>> creates = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        creates.add(world.create(i % 2, ServerFixture.CONFIG_MAPS, "c" + i));
        if (i % 10 == 0) {
          creates.add(world.create(1 - i % 2, SECRETS, "s" + i));
        }
      }
      world.run();
      Map<Integer, Integer> counts = world.byStatus(creates);
      assertThat(counts).containsOnlyKeys(201, 403);
      assertThat(counts).containsEntry(201, 35);
      world.assertExact("q", "configmaps", ServerFixture.CONFIG_MAPS, 30);
      world.assertExact("other", "secrets", SECRETS, 5);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
  void randomCreatesAndDeletes_keepTheLedgerExact(long seed) {
    try (var world = new World(seed)) {
      RandomGenerator random = world.random;
      world.quota("q", "configmaps", 10);
      List<CompletableFuture<ApiResponse>> all = new ArrayList<>();
      for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 12; i++) {
          String name = "c" + random.nextInt(25);
          all.add(
              random.nextBoolean()
                  ? world.create(random.nextInt(2), ServerFixture.CONFIG_MAPS, name)
                  : world.delete(random.nextInt(2), ServerFixture.CONFIG_MAPS + "/" + name));
        }
        if (round == 20) {
          all.add(
              world.send(
                  0,
                  "PATCH",
                  QUOTAS + "/q",
                  "{\"spec\":{\"hard\":{\"configmaps\":\"15\",\"count/configmaps\":\"15\"}}}"));
        }
        world.env.runFor(Duration.ofMillis(random.nextInt(3)));
      }
      world.run();
      // Names collide on purpose: 404 and 409 AlreadyExists are the clients' own doing.
      assertThat(world.byStatus(all)).containsOnlyKeys(200, 201, 403, 404, 409);
      assertThat(world.reasons(all)).isSubsetOf("AlreadyExists", "NotFound", "Forbidden");
      int left = world.count(ServerFixture.CONFIG_MAPS);
      assertThat(left).isLessThanOrEqualTo(15);
      world.assertExact("q", "configmaps", ServerFixture.CONFIG_MAPS, left);
      world.assertExact("q", "count/configmaps", ServerFixture.CONFIG_MAPS, left);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24, 25, 26})
  void quotaMadeAmongCreates_countsEachOnce(long seed) {
    try (var world = new World(seed)) {
      List<CompletableFuture<ApiResponse>> creates = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        creates.add(world.create(i % 2, ServerFixture.CONFIG_MAPS, "c" + i));
        if (i == 30) {
          creates.add(
              world.send(
                  0,
                  "POST",
                  QUOTAS,
                  "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"configmaps\":\"40\"}}}"));
        }
        if (i % 7 == 0) {
          world.env.step();
        }
      }
      world.run();
      assertThat(world.byStatus(creates)).containsOnlyKeys(201, 403);
      world.assertExact("q", "configmaps", ServerFixture.CONFIG_MAPS, 40);
    }
  }

  private static final class World extends TwoServers {

    World(long seed) {
      super(seed, ServerSettings.DEFAULTS);
    }

    void quota(String name, String resource, int hard) {
      Client.Answer made =
          clients
              .get(0)
              .post(
                  QUOTAS,
                  "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"hard\":{\"%s\":\"%d\"}}}"
                      .formatted(name, resource, hard));
      assertThat(made.status()).isEqualTo(201);
    }

    CompletableFuture<ApiResponse> create(int server, String path, String name) {
      return send(server, "POST", path, "{\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    CompletableFuture<ApiResponse> delete(int server, String path) {
      return send(server, "DELETE", path, "");
    }

    void run() {
      env.runFor(Duration.ofSeconds(5));
    }

    Map<Integer, Integer> byStatus(List<CompletableFuture<ApiResponse>> answers) {
      Map<Integer, Integer> counts = new HashMap<>();
      answers.forEach(answer -> counts.merge(answer.join().status(), 1, Integer::sum));
      return counts;
    }

    java.util.Set<String> reasons(List<CompletableFuture<ApiResponse>> answers) {
      var reasons = new TreeSet<String>();
      for (CompletableFuture<ApiResponse> answer : answers) {
        if (answer.join().status() >= 400) {
          reasons.add(Client.answer(answer.join()).text("reason"));
        }
      }
      return reasons;
    }

    int count(String path) {
      return clients.get(1).get(path).body().path("items").size();
    }

    void assertExact(String quota, String resource, String path, int expected) {
      assertThat(count(path)).isEqualTo(expected);
      for (Client client : clients) {
        assertThat(client.get(QUOTAS + "/" + quota).text("status", "used", resource))
            .isEqualTo(Integer.toString(expected));
      }
      checkSettled();
    }
  }
}
