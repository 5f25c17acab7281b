package dev.evenkeel.operate.up;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.operate.build.Build;
import dev.evenkeel.operate.build.LibraryLogs;
import dev.evenkeel.operate.control.ControllerPages;
import dev.evenkeel.operate.control.Controllers;
import dev.evenkeel.operate.control.SchedulerPlugins;
import dev.evenkeel.operate.control.UserControllers;
import dev.evenkeel.operate.inprocess.InProcessTransport;
import dev.evenkeel.operate.webhook.HttpsDoor;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.http.ApiListener;
import dev.evenkeel.serve.http.ListenSettings;
import dev.evenkeel.serve.http.tls.CredentialFolder;
import dev.evenkeel.serve.http.tls.Credentials;
import dev.evenkeel.serve.presence.Presence;
import dev.evenkeel.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store, the API server on it, and the listener in front: opened in this order and closed in the
 * other.
 */
final class Server implements AutoCloseable {

  /** How long what is in flight may take at the end, before it is cut. */
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private static final Duration CONTROLLED_AFTER = Duration.ofMillis(700);

  private static final ApiRequest.Peer CONTROLLERS_IDENTITY =
      new ApiRequest.Peer("system:evenkeel-controllers", List.of("system:masters"));

  private final Store store;
  private final ApiServer core;
  private final ApiListener listener;
  private final Credentials credentials;
  private final AuditLog audit;
  private final HttpsDoor door;
  private volatile @Nullable Controllers controllers;
  private @Nullable Loop controlling;

  private Server(
      Store store,
      ApiServer core,
      ApiListener listener,
      Credentials credentials,
      AuditLog audit,
      HttpsDoor door) {
    this.store = store;
    this.door = door;
    this.audit = audit;
    this.core = core;
    this.listener = listener;
    this.credentials = credentials;
  }

  /**
   * Opens all of it, and waits until requests are answered. The listener gets ready and credentials
   * are read while the store opens: each takes a good part of a start.
   */
  static Server open(Env env, UpSettings told) {
    Path folder = told.folder();
    ListenAddress address = told.listen();
    Limit.Settings limits = told.limitSettings(Build.current());
    try (Loop listening = env.loop("up-listener");
        Loop reading = env.loop("up-credentials")) {
      CompletableFuture<ApiListener> prepared =
          CompletableFuture.supplyAsync(
              () -> {
                LibraryLogs.quiet();
                return ApiListener.prepare(
                    env,
                    ListenSettings.on(address.host(), address.port()).withLimits(limits.http()));
              },
              listening);
      boolean opened = false;
      Store store = null;
      ApiServer core = null;
      try {
        CompletableFuture<Credentials> loaded =
            CompletableFuture.supplyAsync(() -> credentials(env, folder, address), reading);
        store = told.choice().open(env);
        Credentials credentials = join(loaded);
        core = Core.open(env, store, credentials, told.identity(), limits.server());
        var door = new HttpsDoor();
        core.callThrough(door);
        ApiListener listener = join(prepared);
        listener.register(core.meters());
        join(listener.listen(core, credentials.server()));
        join(core.ready());
        core.announce(
            new Presence.Place(Machine.name(), Machine.address(address.host()), listener.port()));
        AuditLog audit = AuditLog.in(env, folder);
        core.auditTo(audit::write);
        opened = true;
        return new Server(store, core, listener, credentials, audit, door);
      } finally {
        if (!opened) {
          join(join(prepared).stop(Duration.ZERO));
          close(core);
          close(store);
        }
      }
    }
  }

  private static void close(@Nullable ApiServer core) {
    if (core != null) {
      core.close();
    }
  }

  private static void close(@Nullable Store store) {
    if (store != null) {
      store.close();
    }
  }

  private static Credentials credentials(Env env, Path folder, ListenAddress address) {
    try {
      return CredentialFolder.open(folder.resolve("pki"), address.host(), env.clock().now());
    } catch (IOException e) {
      throw new StartException(
          "the credentials in "
              + Home.shorten(folder.resolve("pki"))
              + " cannot be used: "
              + e.getMessage()
              + ".",
          e);
    }
  }

  /**
   * Has what is stored be done: controllers begin to work, a moment after whoever waited for the
   * server was served.
   *
   * @param say is given lines about users' controllers and plugins
   */
  void control(Env env, UpSettings told, Consumer<String> say) {
    Loop loop = env.loop("up-controllers");
    controlling = loop;
    var _ = loop.runLater(CONTROLLED_AFTER, () -> startControllers(env, told, say));
  }

  private void startControllers(Env env, UpSettings told, Consumer<String> say) {
    boolean elect = told.choice().shared();
    Controllers started =
        Controllers.start(
            env,
            new InProcessTransport(env, core, CONTROLLERS_IDENTITY, "kube-controller-manager"),
            credentials.authorityPem(),
            told.schedulers(),
            SchedulerPlugins.load(told.schedulers(), told.schedulerPlugins(), say),
            elect,
            core.meters());
    core.alsoAnswer("evenkeel", (path, query) -> ControllerPages.page(started, path, query));
    controllers = started;
    core.component("controller-manager", () -> "");
    if (started.scheduler() != null) {
      core.component("scheduler", () -> "");
    }
    if (!told.controllerJars().isEmpty()) {
      started.with(usersControllers(env, started, told.controllerJars(), elect, say));
    }
  }

  private UserControllers usersControllers(
      Env env, Controllers ours, List<Path> jars, boolean elect, Consumer<String> say) {
    return UserControllers.start(
        env,
        new InProcessTransport(env, core, CONTROLLERS_IDENTITY),
        ours.log(),
        ours.metrics(),
        elect,
        ours.names(),
        jars,
        say);
  }

  int port() {
    return listener.port();
  }

  /** All that is measured here. */
  Meters meters() {
    return core.meters();
  }

  long cachedBytes() {
    return core.cachedBytes();
  }

  Credentials credentials() {
    return credentials;
  }

  long revision() {
    return join(store.currentRevision());
  }

  /** Ends watches, finishes what is in flight, and lets go of the store. */
  @Override
  public void close() {
    if (controlling != null) {
      controlling.close();
    }
    if (controllers != null) {
      controllers.close();
    }
    CompletableFuture<@Nullable Void> stopped = listener.stop(DRAIN);
    core.drain();
    try {
      stopped.get(DRAIN.toMillis() + 1_000, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // It had its time. What matters now is that the store is closed well.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    core.close();
    door.close();
    audit.close();
    store.close();
  }

  private static <T extends @Nullable Object> T join(CompletableFuture<T> future) {
    return future.join();
  }
}
