package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/** Two servers of one store in virtual time, and a client that asks now the one, now the other. */
class TwoServers implements AutoCloseable {

  private static final String PODS = "/registry/core/pods/";
  private static final String NODES = "/registry/core/nodes/";
  private static final String NODE_LEDGERS = "/evenkeel/nodes/ledgers/";

  final SimulatedEnv env;
  final RandomGenerator random;
  final Store store;
  final List<ApiServer> servers = new ArrayList<>();
  final List<Client> clients = new ArrayList<>();

  /** To all that was asked by {@link #call}. */
  final List<CompletableFuture<ApiResponse>> answers = new ArrayList<>();

  TwoServers(long seed, ServerSettings settings) {
    env = new SimulatedEnv(seed);
    random = env.random();
    store = MemoryStore.open(env);
    for (int i = 0; i < 2; i++) {
      ApiServer server = ApiServer.open(env, store, settings);
      servers.add(server);
      clients.add(new Client(env, server));
    }
    env.runFor(Duration.ofSeconds(2));
  }

  /** What a world does, seed by seed; a failure names the seed. */
  interface Play<W> {
    void with(W world);
  }

  static <W extends TwoServers> void each(int seeds, LongFunction<W> worlds, Play<W> play) {
    for (long seed = 0; seed < seeds; seed++) {
      try (W world = worlds.apply(seed)) {
        play.with(world);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  /** Asks either of them. */
  void call(String method, String path, String body) {
    answers.add(send(method, path, body));
  }

  CompletableFuture<ApiResponse> send(String method, String path, String body) {
    return send(random.nextInt(2), method, path, body);
  }

  CompletableFuture<ApiResponse> send(int server, String method, String path, String body) {
    return clients
        .get(server)
        .send(
            method,
            path,
            Map.of(
                "content-type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json"),
            body.getBytes(StandardCharsets.UTF_8));
  }

  /** Runs the world until there is an answer. */
  <T> T await(CompletableFuture<T> future) {
    for (int i = 0; !future.isDone() && i < 1_000; i++) {
      env.step();
    }
    return future.join();
  }

  /** What the store had below a prefix. */
  List<JsonNode> list(String prefix, long revision) {
    List<JsonNode> found = new ArrayList<>();
    await(store.range(RangeQuery.prefix(Bytes.utf8(prefix)).at(revision)))
        .items()
        .forEach(item -> found.add(Json.parse(item.value().array())));
    return found;
  }

  /** How many of the answers had the status. */
  static long count(List<CompletableFuture<ApiResponse>> answers, int status) {
    return answers.stream().filter(answer -> answer.join().status() == status).count();
  }

  /** Everybody has an answer, and one of these. */
  void assertAnswered(Integer... statuses) {
    for (CompletableFuture<ApiResponse> answer : answers) {
      assertThat(answer).isDone();
      assertThat(answer.join().status())
          .as(Client.answer(answer.join()).toString())
          .isIn((Object[]) statuses);
    }
  }

  /** What pods take of each node, as the objects themselves had it. */
  Map<String, List<Demand>> demands(long revision) {
    Map<String, List<Demand>> demands = new HashMap<>();
    for (JsonNode pod : list(PODS, revision)) {
      String node = pod.path("spec").path("nodeName").asString("");
      Demand demand = Demand.of(pod);
      if (!node.isEmpty() && !demand.isNothing()) {
        demands.computeIfAbsent(node, _ -> new ArrayList<>()).add(demand);
      }
    }
    return demands;
  }

  /**
   * Counts the nodes' ledgers anew from the objects, as of one revision: each node has one, nothing
   * else has, and what it says is what its pods take.
   *
   * @return those that were counted
   */
  List<NodeLedger> checkNodes(long revision) {
    Map<String, List<Demand>> demands = demands(revision);
    List<NodeLedger> counted = new ArrayList<>();
    List<JsonNode> nodes = list(NODES, revision);
    assertThat(list(NODE_LEDGERS, revision)).hasSameSizeAs(nodes);
    for (JsonNode node : nodes) {
      String name = node.path("metadata").path("name").asString("");
      var found = await(store.get(Bytes.utf8(NODE_LEDGERS + name), revision)).item();
      NodeLedger ledger =
          Objects.requireNonNull(
              NodeLedger.parse(Objects.requireNonNull(found, name).value().array()));
      if (ledger.counted()) {
        counted.add(ledger);
        assertThat(ledger)
            .as("%s at revision %d", name, revision)
            .isEqualTo(ledger.counted(demands.getOrDefault(name, List.of())));
      }
    }
    return counted;
  }

  /**
   * Once nothing happens any more: no page holds a charge, and no charged write is under way, on
   * either server.
   */
  void checkSettled() {
    for (Client client : clients) {
      ApiResponse page = client.raw("GET", "/metrics", Map.of(), new byte[0]);
      assertThat(page.content()).isInstanceOf(ApiResponse.Whole.class);
      String text =
          new String(((ApiResponse.Whole) page.content()).bytes(), StandardCharsets.UTF_8);
      assertThat(text.lines())
          .contains(
              "evenkeel_node_charges_posted 0.0",
              "evenkeel_quota_charges_posted 0.0",
              "evenkeel_charged_writes_under_way 0.0");
    }
  }

  @Override
  public void close() {
    servers.forEach(ApiServer::close);
    store.close();
  }
}
