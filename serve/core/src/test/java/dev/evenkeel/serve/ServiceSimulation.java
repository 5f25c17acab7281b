package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.service.ServiceRanges;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Clients that make, change and delete services on two servers of one store, all at once and in a
 * range with little room: no address and no port is ever had twice, and what has an object is what
 * is had.
 */
class ServiceSimulation {

  private static final String SERVICES = "/api/v1/namespaces/default/services";
  private static final int SEEDS = 100;

  @Test
  void noAddressAndNoPort_isHadTwice() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try (var world = new World(seed)) {
        world.play();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static final class World implements AutoCloseable {
    private final SimulatedEnv env;
    private final RandomGenerator random;
    private final Store store;
    private final List<ApiServer> servers = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final List<CompletableFuture<ApiResponse>> answers = new ArrayList<>();

    World(long seed) {
      env = new SimulatedEnv(seed);
      random = env.random();
      store = MemoryStore.open(env);
      for (int i = 0; i < 2; i++) {
        ApiServer server =
            ApiServer.open(
                env,
                store,
                ServerSettings.DEFAULTS.withServices(
                    new ServiceRanges(
                        ServiceRanges.parse("10.0.0.0/28").addresses(), 30_000, 30_015)));
        servers.add(server);
        clients.add(new Client(env, server));
      }
      env.runFor(Duration.ofSeconds(2));
    }

    private void call(String method, String path, String body) {
      answers.add(
          clients
              .get(random.nextInt(2))
              .send(
                  method,
                  path,
                  Map.of(
                      "content-type",
                      method.equals("PATCH") ? "application/merge-patch+json" : "application/json"),
                  body.getBytes(StandardCharsets.UTF_8)));
    }

    private String any() {
      return "s" + random.nextInt(24);
    }

    void play() {
      for (int step = 0; step < 60; step++) {
        String name = any();
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> create(name, "");
          case 3 -> create(name, ",\"clusterIP\":\"10.0.0." + (1 + random.nextInt(14)) + "\"");
          case 4 -> call("DELETE", SERVICES + "/" + name, "");
          case 5 -> type(name, "\"NodePort\",\"externalName\":null");
          case 6 -> type(name, "\"ExternalName\",\"externalName\":\"a.example\"");
          default -> type(name, "\"ClusterIP\",\"externalName\":null");
        }
        if (random.nextInt(3) == 0) {
          env.runFor(Duration.ofMillis(random.nextInt(20)));
        }
      }
      env.runFor(Duration.ofSeconds(5));
      assertThat(answers).allSatisfy(answer -> assertThat(answer).isDone());
      check(clients.getFirst());
      check(clients.getLast());
    }

    private void create(String name, String more) {
      String type = random.nextBoolean() ? "NodePort" : "ClusterIP";
      call(
          "POST",
          SERVICES,
          "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"type\":\"%s\",\"ports\":[{\"port\":80}]%s}}"
              .formatted(name, type, more));
    }

    private void type(String name, String type) {
      call("PATCH", SERVICES + "/" + name, "{\"spec\":{\"type\":" + type + "}}");
    }

    private static void check(Client client) {
      Map<String, String> owners = new HashMap<>();
      Set<String> addresses = new TreeSet<>();
      for (JsonNode service : client.get(SERVICES).body().path("items")) {
        String name = service.path("metadata").path("name").asString("");
        JsonNode spec = service.path("spec");
        boolean external = spec.path("type").asString("").equals("ExternalName");
        String address = spec.path("clusterIP").asString("");
        assertThat(address.isEmpty()).as(name).isEqualTo(external);
        if (!external) {
          addresses.add(address);
          assertThat(owners.put(address, name)).as(address).isNull();
        }
        boolean open = spec.path("type").asString("").equals("NodePort");
        int port = spec.path("ports").path(0).path("nodePort").asInt(0);
        assertThat(port != 0).as(name).isEqualTo(open);
        if (open) {
          assertThat(owners.put("port " + port, name)).as("port " + port).isNull();
        }
      }
      Map<String, String> objects = new HashMap<>();
      for (JsonNode item :
          client.get("/apis/networking.k8s.io/v1/ipaddresses").body().path("items")) {
        objects.put(
            item.path("metadata").path("name").asString(""),
            item.path("spec").path("parentRef").path("name").asString(""));
      }
      assertThat(objects.keySet()).isEqualTo(addresses);
      objects.forEach((address, name) -> assertThat(name).isEqualTo(owners.get(address)));
    }

    @Override
    public void close() {
      servers.forEach(ApiServer::close);
      store.close();
    }
  }
}
