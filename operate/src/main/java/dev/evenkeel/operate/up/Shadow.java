package dev.evenkeel.operate.up;

import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.decide.schedule.run.Scheduler;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.operate.control.Controllers;
import dev.evenkeel.operate.control.SchedulerPlugins;
import dev.evenkeel.operate.inprocess.InProcessTransport;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.http.ApiListener;
import dev.evenkeel.serve.http.ListenSettings;
import dev.evenkeel.serve.http.tls.Credentials;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * A server like the one of this process, with its controllers and scheduler, but in memory, on a
 * port of the loopback that nobody is told of, and thrown away: what is done on it this process has
 * done before somebody asks for it.
 *
 * <p><b>Threading:</b> for one caller, but for {@link #close}.
 */
final class Shadow implements AutoCloseable {

  private static final Duration DRAIN = Duration.ZERO;
  private static final ApiRequest.Peer IDENTITY =
      new ApiRequest.Peer("system:evenkeel-warm-up", List.of("system:masters"));

  private final Store store;
  private final ApiServer core;
  private final ApiListener listener;
  private final Controllers controllers;
  private final String host;
  private boolean closed;

  private Shadow(
      Store store, ApiServer core, ApiListener listener, Controllers controllers, String host) {
    this.store = store;
    this.core = core;
    this.listener = listener;
    this.controllers = controllers;
    this.host = host;
  }

  /**
   * Opens one, which takes a moment.
   *
   * @param credentials of the server whose shadow it is: the same clients may use it
   * @param schedules whether pods get nodes
   */
  static Shadow open(Env env, Credentials credentials, boolean schedules) {
    String host = InetAddress.getLoopbackAddress().getHostAddress();
    Store store = MemoryStore.open(env);
    ApiServer core = Core.open(env, store, credentials, ServerSettings.DEFAULTS);
    ApiListener listener = ApiListener.prepare(env, ListenSettings.on(host, 0).withEventLoops(1));
    Controllers controllers =
        Controllers.start(
            env,
            new InProcessTransport(env, core, IDENTITY),
            credentials.authorityPem(),
            schedules ? List.of(Profile.DEFAULT.name()) : List.of(),
            SchedulerPlugins.none(),
            false);
    var shadow = new Shadow(store, core, listener, controllers, host);
    try {
      listener.listen(core, credentials.server()).join();
      core.ready().join();
      return shadow;
    } catch (CompletionException e) {
      // Half of a server is not left running.
      shadow.close();
      throw e;
    }
  }

  URI address() {
    return URI.create(
        "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + listener.port());
  }

  /** How many pods got their nodes. */
  long placed() {
    Scheduler scheduler = controllers.scheduler();
    return scheduler == null ? 0 : scheduler.placed();
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    controllers.close();
    var _ = listener.stop(DRAIN);
    core.drain();
    core.close();
    store.close();
  }
}
