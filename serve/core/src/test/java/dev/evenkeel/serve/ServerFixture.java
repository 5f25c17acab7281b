package dev.evenkeel.serve;

import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.engine.mvcc.MvccOptions;
import dev.evenkeel.store.memory.MemoryStore;
import java.time.Duration;

/** A server on a memory store, in virtual time. */
final class ServerFixture implements AutoCloseable {

  static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  final SimulatedEnv env = new SimulatedEnv(1);
  final Store store;
  final ApiServer server;
  final Client client;

  ServerFixture() {
    this(ServerSettings.DEFAULTS);
  }

  ServerFixture(ServerSettings settings) {
    this(settings, MvccOptions.DEFAULTS);
  }

  ServerFixture(ServerSettings settings, MvccOptions options) {
    this.store = MemoryStore.open(env, options);
    this.server = ApiServer.open(env, store, settings);
    this.client = new Client(env, server);
    env.runFor(Duration.ofMillis(10));
  }

  /** Lets everybody see what was written. */
  void settle() {
    env.runFor(Duration.ofMillis(10));
  }

  void createConfigMaps(int count) {
    for (int i = 0; i < count; i++) {
      Client.Answer answer = client.createConfigMap("default", "c%03d".formatted(i), "x");
      if (answer.status() != 201) {
        throw new AssertionError(answer.toString());
      }
    }
  }

  @Override
  public void close() {
    server.close();
    store.close();
  }
}
