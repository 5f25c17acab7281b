package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.serve.api.ApiResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Clients that bind, create, end and delete pods on two servers of one store, all at once, while
 * nodes come, go and change: no node ever has more on it than it has, and every ledger is what its
 * pods take.
 */
class BindingSimulation {

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String NODES = "/api/v1/nodes";
  private static final int SEEDS = 150;

  @Test
  void nodesThatComeAndGo_haveLedgersThatAreRight() {
    play(false);
  }

  @Test
  void nodesThatStay_areNeverOvercommitted() {
    play(true);
  }

  private static void play(boolean nodesStay) {
    TwoServers.each(SEEDS, seed -> new World(seed, nodesStay), World::play);
  }

  private static final class World extends TwoServers {

    private final boolean nodesStay;

    World(long seed, boolean nodesStay) {
      super(seed, ServerSettings.DEFAULTS);
      this.nodesStay = nodesStay;
    }

    private void node(String name, int cpus) {
      call(
          "POST",
          NODES,
          "{\"metadata\":{\"name\":\"%s\"},\"status\":{\"allocatable\":{\"cpu\":\"%d\",\"pods\":\"5\"}}}"
              .formatted(name, cpus));
    }

    private String anyNode() {
      return "n" + random.nextInt(4);
    }

    private String anyPod() {
      return PODS + "/p" + random.nextInt(30);
    }

    void play() {
      for (int i = 0; i < (nodesStay ? 4 : 2); i++) {
        node("n" + i, 2 + i % 2);
      }
      env.runFor(Duration.ofMillis(nodesStay ? 100 : 0));
      for (int step = 0; step < 150; step++) {
        switch (random.nextInt(nodesStay ? 10 : 12)) {
          case 0, 1, 2 -> pod(random.nextInt(5) == 0 ? "\"nodeName\":\"" + anyNode() + "\"," : "");
          case 3, 4, 5, 6 -> bind();
          case 7 -> call("DELETE", anyPod() + "?gracePeriodSeconds=0", "");
          case 8 -> call("PATCH", anyPod() + "/status", "{\"status\":{\"phase\":\"Failed\"}}");
          case 9 -> call("PATCH", anyPod() + "/status", "{\"status\":{\"phase\":\"Running\"}}");
          case 10 -> node(anyNode(), 1 + random.nextInt(3));
          default -> changeNode();
        }
        if (random.nextInt(3) == 0) {
          env.runFor(Duration.ofMillis(random.nextInt(4)));
          check();
        }
      }
      env.runFor(Duration.ofSeconds(5));
      check();
      for (CompletableFuture<ApiResponse> answer : answers) {
        assertThat(answer.join().status())
            .as(Client.answer(answer.join()).toString())
            .isIn(200, 201, 404, 409, 422);
      }
    }

    private void pod(String more) {
      call(
          "POST",
          PODS,
          "{\"metadata\":{\"name\":\"p%d\"},\"spec\":{%s\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"requests\":{\"cpu\":\"%dm\"}}}]}}"
              .formatted(random.nextInt(30), more, 250 * (1 + random.nextInt(6))));
    }

    private void bind() {
      String pod = "p" + random.nextInt(30);
      call(
          "POST",
          PODS + "/" + pod + "/binding",
          "{\"metadata\":{\"name\":\"%s\",\"annotations\":{\"evenkeel.dev/candidates\":\"%s\"}},\"target\":{\"name\":\"%s\"}}"
              .formatted(pod, anyNode(), anyNode()));
    }

    private void changeNode() {
      if (random.nextInt(4) == 0) {
        call("DELETE", NODES + "/" + anyNode(), "");
      } else {
        call(
            "PATCH",
            NODES + "/" + anyNode() + "/status",
            "{\"status\":{\"allocatable\":{\"cpu\":\"%d\"}}}".formatted(1 + random.nextInt(4)));
      }
    }

    /** Holds what the store has against itself, as of one revision. */
    private void check() {
      long revision = await(store.currentRevision());
      Map<String, List<Demand>> demands = new HashMap<>();
      for (JsonNode pod : list("/registry/core/pods/", revision)) {
        String node = pod.path("spec").path("nodeName").asString("");
        Demand demand = Demand.of(pod);
        if (!node.isEmpty() && !demand.isNothing()) {
          demands.computeIfAbsent(node, _ -> new ArrayList<>()).add(demand);
        }
      }
      for (JsonNode node : list("/registry/core/nodes/", revision)) {
        String name = node.path("metadata").path("name").asString("");
        var found =
            await(store.get(Bytes.utf8("/evenkeel/nodes/ledgers/" + name), revision)).item();
        NodeLedger ledger = NodeLedger.parse(Objects.requireNonNull(found, name).value().array());
        Objects.requireNonNull(ledger);
        if (ledger.counted()) {
          assertThat(ledger).isEqualTo(ledger.counted(demands.getOrDefault(name, List.of())));
          if (nodesStay) {
            ledger
                .used()
                .forEach(
                    (resource, used) ->
                        assertThat(used)
                            .as(resource)
                            .isLessThanOrEqualTo(ledger.capacity().getOrDefault(resource, 0L)));
          }
        }
      }
    }

    private <T> T await(CompletableFuture<T> future) {
      for (int i = 0; !future.isDone() && i < 1_000; i++) {
        env.step();
      }
      return future.join();
    }

    private List<JsonNode> list(String prefix, long revision) {
      List<JsonNode> found = new ArrayList<>();
      await(store.range(dev.evenkeel.store.RangeQuery.prefix(Bytes.utf8(prefix)).at(revision)))
          .items()
          .forEach(item -> found.add(dev.evenkeel.kernel.json.Json.parse(item.value().array())));
      return found;
    }
  }
}
