package dev.evenkeel.prove.clients;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.operate.kubeconfig.KubeconfigFile;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.http.ApiListener;
import dev.evenkeel.serve.http.ListenSettings;
import dev.evenkeel.serve.http.tls.CredentialFolder;
import dev.evenkeel.serve.http.tls.Credentials;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The API over TLS on loopback, with nothing in its store but what every cluster has. */
final class RunningServer implements AutoCloseable {

  private static final String HOST = "127.0.0.1";

  private final Store store;
  private final ApiServer core;
  private final ApiListener listener;
  private final Path kubeconfig;

  private RunningServer(Store store, ApiServer core, ApiListener listener, Path kubeconfig) {
    this.store = store;
    this.core = core;
    this.listener = listener;
    this.kubeconfig = kubeconfig;
  }

  /**
   * Starts it, and waits until it is ready.
   *
   * @param folder for its credentials and the kubeconfig
   */
  static RunningServer start(Path folder) throws IOException {
    Env env = new RealEnv();
    Credentials credentials = CredentialFolder.open(folder.resolve("pki"), HOST, env.clock().now());
    Store store = MemoryStore.open(env);
    ApiServer core =
        ApiServer.open(
            env,
            store,
            ServerSettings.DEFAULTS.withToken(
                credentials.adminToken(), "kubernetes-admin", List.of("system:masters")));
    ApiListener listener =
        ApiListener.open(env, core, credentials.server(), ListenSettings.on(HOST, 0)).join();
    core.ready().join();
    Path kubeconfig = folder.resolve("kubeconfig");
    var _ =
        KubeconfigFile.write(kubeconfig, "https://" + HOST + ":" + listener.port(), credentials);
    return new RunningServer(store, core, listener, kubeconfig);
  }

  Path kubeconfig() {
    return kubeconfig;
  }

  @Override
  public void close() {
    listener.stop(Duration.ofSeconds(1)).join();
    core.close();
    store.close();
  }
}
