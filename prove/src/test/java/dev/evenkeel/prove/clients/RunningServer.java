package dev.evenkeel.prove.clients;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.operate.kubeconfig.KubeconfigFile;
import dev.evenkeel.operate.kubeconfig.ServerAccess;
import dev.evenkeel.operate.webhook.HttpsDoor;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.http.ApiListener;
import dev.evenkeel.serve.http.ListenSettings;
import dev.evenkeel.serve.http.limit.HttpLimits;
import dev.evenkeel.serve.http.limit.TransportCounters;
import dev.evenkeel.serve.http.tls.CredentialFolder;
import dev.evenkeel.serve.http.tls.Credentials;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.etcd.EtcdStore;
import dev.evenkeel.store.etcd.client.EtcdOptions;
import dev.evenkeel.store.memory.MemoryStore;
import dev.evenkeel.store.rocksdb.Durability;
import dev.evenkeel.store.rocksdb.EmbeddedOptions;
import dev.evenkeel.store.rocksdb.EmbeddedStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The API over TLS on loopback, with nothing in its store at first but what every cluster has. It
 * can be restarted on the same port, with what was in its store.
 */
final class RunningServer implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
  private static final Duration DRAIN = Duration.ofSeconds(2);

  /**
   * How it is set up.
   *
   * @param durable whether its store is a folder; in memory otherwise
   * @param etcd where the etcd is that is its store instead; empty if there is none
   */
  record Setup(boolean durable, ServerSettings settings, HttpLimits limits, String etcd) {

    static final Setup MEMORY = new Setup(false, ServerSettings.DEFAULTS, HttpLimits.DEFAULTS, "");
    static final Setup DURABLE = new Setup(true, ServerSettings.DEFAULTS, HttpLimits.DEFAULTS, "");

    Setup withSettings(ServerSettings changed) {
      return new Setup(durable, changed, limits, etcd);
    }

    Setup withLimits(HttpLimits changed) {
      return new Setup(durable, settings, changed, etcd);
    }

    /** On an etcd, which outlives it and which it may share. */
    Setup on(String endpoint) {
      return new Setup(true, settings, limits, endpoint);
    }
  }

  private final Env env = new RealEnv();
  private final HttpsDoor door = new HttpsDoor();
  private final Path folder;
  private final Setup setup;
  private final Credentials credentials;
  private final Path kubeconfig;
  private Store store;
  private ApiServer core;
  private ApiListener listener;
  private boolean running = true;

  private RunningServer(Path folder, Setup setup) throws IOException {
    this.folder = folder;
    this.setup = setup;
    this.credentials = CredentialFolder.open(folder.resolve("pki"), HOST, env.clock().now());
    this.store = openStore();
    this.core = openCore();
    this.listener = listen(0);
    core.ready().join();
    this.kubeconfig = folder.resolve("kubeconfig");
    var _ = KubeconfigFile.write(kubeconfig, url(), credentials);
  }

  /**
   * Starts it in memory, and waits until it is ready.
   *
   * @param folder for its credentials and the kubeconfig
   */
  static RunningServer start(Path folder) throws IOException {
    return start(folder, Setup.MEMORY);
  }

  static RunningServer start(Path folder, Setup setup) throws IOException {
    return new RunningServer(folder, setup);
  }

  private Store openStore() {
    if (!setup.etcd().isEmpty()) {
      return EtcdStore.open(env, EtcdOptions.of(List.of(setup.etcd())));
    }
    return setup.durable()
        ? EmbeddedStore.open(
            env, EmbeddedOptions.in(folder.resolve("store")).withDurability(Durability.OS))
        : MemoryStore.open(env);
  }

  private ApiServer openCore() {
    ApiServer opened =
        ApiServer.open(
            env,
            store,
            setup
                .settings()
                .withToken(
                    credentials.adminToken(), "kubernetes-admin", List.of("system:masters")));
    opened.callThrough(door);
    return opened;
  }

  private ApiListener listen(int port) {
    return ApiListener.open(
            env,
            core,
            credentials.server(),
            ListenSettings.on(HOST, port).withLimits(setup.limits()))
        .join();
  }

  /** Ends it as SIGTERM does, but for a store in memory, which is kept. */
  void stop() {
    running = false;
    CompletableFuture<@Nullable Void> stopped = listener.stop(DRAIN);
    core.drain();
    stopped.orTimeout(DRAIN.toSeconds() + 5, TimeUnit.SECONDS).join();
    core.close();
    if (setup.durable()) {
      store.close();
    }
  }

  /** Starts it again after {@link #stop}, on the same port. */
  void startAgain() {
    int port = URI.create(ServerAccess.read(kubeconfig).server().toString()).getPort();
    if (setup.durable()) {
      store = openStore();
    }
    core = openCore();
    listener = listen(port);
    core.ready().join();
    running = true;
  }

  void restart() {
    stop();
    startAgain();
  }

  /** Forgets history up to here. */
  void compact() {
    store.compact(store.currentRevision().join()).join();
  }

  String url() {
    return "https://" + HOST + ":" + listener.port();
  }

  int port() {
    return listener.port();
  }

  Path kubeconfig() {
    return kubeconfig;
  }

  Credentials credentials() {
    return credentials;
  }

  TransportCounters counters() {
    return listener.counters();
  }

  /** A client that shows the admin's certificate. */
  HttpClient client(HttpClient.Version version) {
    return HttpClient.newBuilder()
        .version(version)
        .sslContext(ServerAccess.read(kubeconfig).sslContext())
        .connectTimeout(Duration.ofSeconds(20))
        .build();
  }

  HttpResponse<String> send(
      HttpClient client, String method, String target, String contentType, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url() + target))
            .timeout(Duration.ofSeconds(30))
            .header("content-type", contentType)
            .method(
                method,
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    if (running) {
      stop();
    }
    if (!setup.durable()) {
      store.close();
    }
    door.close();
  }
}
