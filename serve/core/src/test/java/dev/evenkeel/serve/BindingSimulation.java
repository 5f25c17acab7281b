package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Clients that bind, create, end and delete pods on two servers of one store, all at once, while
 * nodes come, go and change: no node ever has more on it than it has, and every ledger is what its
 * pods take.
 */
class BindingSimulation {

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String NODES = "/api/v1/nodes";
  private static final int SEEDS = 150;
  private static final int BOUND_EACH_MIN = 6;

  @Test
  void nodesThatComeAndGo_haveLedgersThatAreRight() {
    play(false);
  }

  @Test
  void nodesThatStay_areNeverOvercommitted() {
    play(true);
  }

  private static void play(boolean nodesStay) {
    var bound = new AtomicLong();
    TwoServers.each(
        SEEDS,
        seed -> new World(seed, nodesStay),
        world -> {
          world.play();
          bound.addAndGet(TwoServers.count(world.binds, 201));
        });
    // It is about something: bindings were made, not only refused.
    assertThat(bound).hasValueGreaterThan(BOUND_EACH_MIN * SEEDS);
  }

  private static final class World extends TwoServers {

    private final boolean nodesStay;
    private final List<CompletableFuture<ApiResponse>> binds = new ArrayList<>();

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
      // By then each was counted, by whoever charged it or by the server that made the node.
      assertThat(check()).hasSameSizeAs(list("/registry/core/nodes/", Store.NEWEST));
      assertAnswered(200, 201, 404, 409, 422);
      checkSettled();
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
      binds.add(answers.getLast());
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

    /** Counts all ledgers anew, as of one revision. */
    private List<NodeLedger> check() {
      List<NodeLedger> counted = checkNodes(await(store.currentRevision()));
      for (NodeLedger ledger : nodesStay ? counted : List.<NodeLedger>of()) {
        ledger
            .used()
            .forEach(
                (resource, used) ->
                    assertThat(used)
                        .as(resource)
                        .isLessThanOrEqualTo(ledger.capacity().getOrDefault(resource, 0L)));
      }
      return counted;
    }
  }
}
