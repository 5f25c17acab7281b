package dev.evenkeel.serve;

import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;

/** Two servers of one store in virtual time, and a client that asks now the one, now the other. */
class TwoServers implements AutoCloseable {

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
    return clients
        .get(random.nextInt(2))
        .send(
            method,
            path,
            Map.of(
                "content-type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json"),
            body.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    servers.forEach(ApiServer::close);
    store.close();
  }
}
