package dev.evenkeel.observe.http;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.AnswerBody;
import dev.evenkeel.observe.transport.Header;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Transport;
import dev.evenkeel.observe.transport.TransportException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Over HTTP, on the JDK's client, which brings threads of its own: the one place where they come
 * from elsewhere than {@code env}.
 *
 * <p><b>Invariants:</b> a connection carries at most {@link #STREAMS_MAX} requests at a time:
 * beyond it, or after {@link #renew}, another is opened, because the JDK's client refuses what goes
 * beyond a server's limit (often 100) instead of waiting. A connection that was left is closed when
 * its last answer has ended.
 *
 * <p><b>Threading:</b> for any thread; the lanes are kept under the lock.
 */
public final class HttpTransport implements Transport {

  /** Below what servers allow on one connection. */
  static final int STREAMS_MAX = 80;

  private final HttpSettings settings;
  private final String prefix;
  private final @Nullable SSLContext tls;
  private final BearerToken token;
  private final Loop loop;
  private final List<Lane> lanes = new ArrayList<>();
  private boolean closed;

  private HttpTransport(Env env, HttpSettings settings) {
    this.settings = settings;
    String text = settings.server().toString();
    this.prefix = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    this.tls = settings.server().getScheme().equals("https") ? Tls.context(settings) : null;
    this.token = new BearerToken(settings.identity(), env.clock());
    this.loop = env.loop("http-transport");
  }

  /**
   * Gets ready; connects with the first request.
   *
   * @throws ConfigurationException if certificates or keys cannot be used
   */
  public static HttpTransport open(Env env, HttpSettings settings) {
    return new HttpTransport(env, settings);
  }

  public HttpSettings settings() {
    return settings;
  }

  @Override
  public CompletableFuture<Answer> send(Request request) {
    HttpRequest prepared;
    Lane lane;
    try {
      prepared = prepared(request);
      lane = take();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(
          new TransportException(
              TransportException.Reached.NOTHING, request + ": " + Failures.text(e), e));
    }
    var body = new HttpBody(() -> release(lane));
    CompletableFuture<Answer> answered =
        lane.client
            .sendAsync(prepared, _ -> body)
            .thenApply(response -> answer(request, response, body));
    return answered.exceptionallyCompose(
        failure -> CompletableFuture.failedFuture(failed(request, body, failure)));
  }

  private Throwable failed(Request request, HttpBody body, Throwable failure) {
    body.close();
    TransportException told = Failures.told(request.toString(), failure);
    if (FutureFailure.cause(failure) instanceof java.net.http.HttpTimeoutException) {
      // Perhaps the connection is dead and does not say so: the next request had better not use it.
      renew();
    }
    return told;
  }

  private HttpRequest prepared(Request request) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(
                URI.create(
                    prefix
                        + request.path()
                        + (request.query().isEmpty() ? "" : "?" + request.query())))
            .method(
                request.method(),
                request.body().isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(request.body().array()));
    for (Header header : settings.headers()) {
      builder.header(header.name(), header.value());
    }
    for (Header header : request.headers()) {
      builder.header(header.name(), header.value());
    }
    String bearer = token.now();
    if (bearer != null) {
      builder.header("Authorization", "Bearer " + bearer);
    }
    if (request.patience() == Request.Patience.ANSWER) {
      builder.timeout(settings.timeouts().silence());
    }
    return builder.build();
  }

  private Answer answer(Request request, HttpResponse<AnswerBody> response, HttpBody body) {
    List<Header> headers = new ArrayList<>();
    response
        .headers()
        .map()
        .forEach((name, values) -> values.forEach(value -> headers.add(new Header(name, value))));
    AnswerBody read =
        request.patience() == Request.Patience.ANSWER ? new Impatient(request, body) : body;
    return new Answer(response.statusCode(), headers, read);
  }

  private Lane take() {
    synchronized (lanes) {
      if (closed) {
        throw new IllegalStateException("the transport is closed");
      }
      for (Lane lane : lanes) {
        if (!lane.left && lane.streams < STREAMS_MAX) {
          lane.streams++;
          return lane;
        }
      }
      var lane = new Lane(newClient());
      lane.streams = 1;
      lanes.add(lane);
      return lane;
    }
  }

  private void release(Lane lane) {
    boolean last;
    synchronized (lanes) {
      lane.streams--;
      last = lane.left && lane.streams == 0 && lanes.remove(lane);
    }
    if (last) {
      lane.client.shutdownNow();
    }
  }

  private HttpClient newClient() {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .connectTimeout(settings.timeouts().connect())
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(tls == null ? HttpClient.Version.HTTP_1_1 : HttpClient.Version.HTTP_2);
    return (tls == null ? builder : builder.sslContext(tls)).build();
  }

  @Override
  public void renew() {
    List<Lane> idle = new ArrayList<>();
    synchronized (lanes) {
      for (Lane lane : lanes) {
        lane.left = true;
        if (lane.streams == 0) {
          idle.add(lane);
        }
      }
      lanes.removeAll(idle);
    }
    idle.forEach(lane -> lane.client.shutdownNow());
  }

  @Override
  public void close() {
    List<Lane> all;
    synchronized (lanes) {
      closed = true;
      all = List.copyOf(lanes);
      lanes.clear();
    }
    all.forEach(lane -> lane.client.shutdownNow());
    loop.close();
  }

  /** A connection and what is under way on it. */
  private static final class Lane {
    private final HttpClient client;
    private int streams;
    private boolean left;

    Lane(HttpClient client) {
      this.client = client;
    }
  }

  /** Gives up a body of which the next piece takes too long. */
  private final class Impatient implements AnswerBody {
    private final Request request;
    private final HttpBody body;

    Impatient(Request request, HttpBody body) {
      this.request = request;
      this.body = body;
    }

    @Override
    public CompletableFuture<@Nullable ByteBuffer> next() {
      CompletableFuture<@Nullable ByteBuffer> next = body.next();
      if (next.isDone()) {
        return next;
      }
      Duration silence = settings.timeouts().silence();
      try {
        Loop.Timer timer =
            loop.runLater(
                silence,
                () -> {
                  if (!next.isDone()) {
                    renew();
                    body.giveUpIfAwaited(
                        request + ": nothing came for " + silence.toSeconds() + " seconds");
                  }
                });
        return next.whenComplete((_, _) -> timer.cancel());
      } catch (RejectedExecutionException e) {
        body.close();
        return next;
      }
    }

    @Override
    public void close() {
      body.close();
    }
  }
}
