package dev.evenkeel.serve.http;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.http.buffer.Staging;
import dev.evenkeel.serve.http.buffer.VertxInside;
import dev.evenkeel.serve.http.connection.Connection;
import dev.evenkeel.serve.http.connection.Gate;
import dev.evenkeel.serve.http.exchange.Exchange;
import dev.evenkeel.serve.http.exchange.Refusals;
import dev.evenkeel.serve.http.lane.Lane;
import dev.evenkeel.serve.http.lane.LaneLoop;
import dev.evenkeel.serve.http.limit.HttpLimits;
import dev.evenkeel.serve.http.limit.LiveCounters;
import dev.evenkeel.serve.http.limit.TransportCounters;
import dev.evenkeel.serve.http.tls.ServerIdentity;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.Http2ServerConfig;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerConfig;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.WebSocketServerConfig;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves an {@link ApiHandler} over the network.
 *
 * <p><b>Threading.</b> Any thread. Each event loop has a server and a {@link Lane} of its own, on
 * one shared port; the handler is called on event loops and must not block them.
 */
public final class ApiListener {

  /**
   * HTTP/2's own way to end a watch is a reset: clients that stop many at once are no attackers.
   */
  private static final int RESETS_PER_WINDOW_MAX = 20_000;

  private static final int STREAM_WINDOW_BYTES = 1 << 20;
  private static final int CONNECTION_WINDOW_BYTES = 8 << 20;
  private static final long SWEEP_MILLIS = 500;

  private final Env env;
  private final ListenSettings settings;
  private final LiveCounters tally = new LiveCounters();
  private final Vertx vertx;
  private final List<Serving> serving = new CopyOnWriteArrayList<>();

  /** A lane with the server that feeds it. */
  private record Serving(Lane lane, HttpServer server, Context context) {}

  private ApiListener(Env env, ListenSettings settings) {
    this.env = env;
    this.settings = settings;
    this.vertx = newVertx();
  }

  /**
   * Gets ready to listen without doing so: what takes time and needs neither the handler nor the
   * certificates, so that it can be done beside other things.
   */
  public static ApiListener prepare(Env env, ListenSettings settings) {
    var listener = new ApiListener(env, settings);
    var _ = listener.engine();
    return listener;
  }

  /** Gets ready and starts to listen. */
  public static CompletableFuture<ApiListener> open(
      Env env, ApiHandler handler, @Nullable ServerIdentity identity, ListenSettings settings) {
    ApiListener listener = prepare(env, settings);
    return listener.listen(handler, identity).thenApply(_ -> listener);
  }

  /**
   * Starts to listen, once. The future fails with a {@link ListenException} if that is not
   * possible.
   *
   * @param handler who answers
   * @param identity the server's certificate and whom it trusts; null for plain text, which is for
   *     measuring and for tests
   */
  public CompletableFuture<@Nullable Void> listen(
      ApiHandler handler, @Nullable ServerIdentity identity) {
    var listening = new CompletableFuture<@Nullable Void>();
    vertx
        .deployVerticle(
            () -> context -> serve(context, handler, identity),
            new DeploymentOptions().setInstances(settings.eventLoops()))
        .onComplete(
            _ -> listening.complete(null),
            failure ->
                vertx.close().onComplete(_ -> listening.completeExceptionally(explain(failure))));
    return listening;
  }

  /** The port it listens on. */
  public int port() {
    return serving.getFirst().server().actualPort();
  }

  public TransportCounters counters() {
    return tally;
  }

  /** Has the same shown with all that the server measures. */
  public void register(Meters meters) {
    TransportMetrics.register(meters, tally, settings.limits());
  }

  /**
   * Takes no more connections, tells the clients of those it has to go elsewhere, and lets what is
   * in flight finish within the limit; what does not is cut. Streams end only when the core ends
   * them, so that is to be told too.
   */
  public CompletableFuture<@Nullable Void> stop(Duration limit) {
    var stopped = new CompletableFuture<@Nullable Void>();
    for (Serving each : serving) {
      each.lane().drain();
    }
    List<Future<Void>> servers =
        serving.stream().map(each -> each.server().shutdown(limit)).toList();
    Future.join(servers)
        .onComplete(
            _ -> {
              serving.forEach(each -> each.context().runOnContext(_ -> each.lane().close()));
              vertx.close().onComplete(_ -> stopped.complete(null));
            });
    return stopped;
  }

  private Vertx newVertx() {
    var gate = new Gate(settings.limits(), tally, env.clock());
    Transport transport = Transport.nativeTransport();
    if (transport == null || !transport.available()) {
      transport = Transport.NIO;
    }
    var options =
        new VertxOptions()
            .setEventLoopPoolSize(settings.eventLoops())
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1)
            .setBlockedThreadCheckInterval(1)
            .setBlockedThreadCheckIntervalUnit(TimeUnit.HOURS)
            .setDisableTCCL(true)
            .setUseDaemonThread(true);
    return Vertx.builder().with(options).withTransport(gate.guard(transport)).build();
  }

  /** Starts one event loop's server. */
  private Future<?> serve(Context context, ApiHandler handler, @Nullable ServerIdentity identity) {
    var lane =
        new Lane(
            LaneLoop.of(VertxInside.eventLoop(context)),
            VertxInside.allocator(),
            handler,
            settings.limits(),
            tally,
            env.clock());
    var builder = vertx.httpServerBuilder().with(config());
    if (identity != null) {
      builder.with(tls(identity)).with(engine());
    }
    HttpServer server =
        builder
            .build()
            .requestHandler(request -> new Exchange(lane, request).begin())
            .invalidRequestHandler(Refusals::malformed)
            .connectionHandler(Connection::begin)
            .exceptionHandler(_ -> {}); // a failed handshake is the client's to see
    vertx.setPeriodic(SWEEP_MILLIS, _ -> lane.sweep());
    return server.listen(address()).onSuccess(_ -> serving.add(new Serving(lane, server, context)));
  }

  private SocketAddress address() {
    return settings.port() == 0
        ? SocketAddress.sharedRandomPort(1, settings.host()) // one for all event loops
        : SocketAddress.inetSocketAddress(settings.port(), settings.host());
  }

  private HttpServerConfig config() {
    HttpLimits limits = settings.limits();
    var config =
        new HttpServerConfig()
            .setVersions(Set.of(HttpVersion.HTTP_1_0, HttpVersion.HTTP_1_1, HttpVersion.HTTP_2))
            .setHttp1Config(
                new Http1ServerConfig()
                    .setMaxInitialLineLength(limits.requestLineBytesMax())
                    .setMaxHeaderSize(limits.headerBytesMax())
                    .setMaxChunkSize(Staging.BYTES))
            .setHttp2Config(
                new Http2ServerConfig()
                    .setInitialSettings(
                        new Http2Settings()
                            .setMaxConcurrentStreams(limits.streamsPerConnectionMax())
                            .setMaxHeaderListSize(
                                limits.headerBytesMax() + limits.requestLineBytesMax())
                            .setInitialWindowSize(STREAM_WINDOW_BYTES))
                    .setConnectionWindowSize(CONNECTION_WINDOW_BYTES)
                    .setRstFloodMaxRstFramePerWindow(RESETS_PER_WINDOW_MAX))
            .setWebSocketConfig(
                new WebSocketServerConfig()
                    .setUsePerFrameCompression(false)
                    .setUsePerMessageCompression(false));
    config.getTcpConfig().setAcceptBacklog(1024);
    Gate.keepAlive(config.getTcpConfig().getTransportConfig());
    return config;
  }

  private ServerSSLOptions tls(ServerIdentity identity) {
    return new ServerSSLOptions()
        .setKeyCertOptions(KeyCertOptions.wrap(identity.keyManagerFactory()))
        .setTrustOptions(TrustOptions.wrap(identity.trustManagerFactory()))
        .setClientAuth(ClientAuth.REQUEST)
        .setUseAlpn(true)
        .setEnabledSecureTransportProtocols(Set.of("TLSv1.3", "TLSv1.2"))
        .setSslHandshakeTimeout(settings.limits().handshakeTimeout().toMillis())
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
  }

  private SSLEngineOptions engine() {
    return settings.nativeTls() && OpenSSLEngineOptions.isAvailable()
        ? new OpenSSLEngineOptions()
        : new JdkSSLEngineOptions();
  }

  private ListenException explain(Throwable failure) {
    String where = settings.host() + ":" + settings.port();
    if (failure instanceof IOException || failure.getCause() instanceof IOException) {
      String why = String.valueOf(failure.getMessage());
      return new ListenException(
          why.contains("in use")
              ? where + " is taken. Stop what listens there, or use --listen HOST:PORT."
              : "cannot listen on " + where + " (" + why + "). Use --listen HOST:PORT.",
          failure);
    }
    return new ListenException("cannot listen on " + where + ": " + failure, failure);
  }
}
