package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.service.ServiceRanges;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
    TwoServers.each(SEEDS, World::new, World::play);
  }

  private static final class World extends TwoServers {

    World(long seed) {
      super(
          seed,
          ServerSettings.DEFAULTS.withServices(
              new ServiceRanges(ServiceRanges.parse("10.0.0.0/28").addresses(), 30_000, 30_015)));
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
  }
}
