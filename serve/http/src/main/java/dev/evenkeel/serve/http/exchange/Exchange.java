package dev.evenkeel.serve.http.exchange;

import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.http.buffer.Staging;
import dev.evenkeel.serve.http.buffer.VertxInside;
import dev.evenkeel.serve.http.connection.Connection;
import dev.evenkeel.serve.http.lane.Lane;
import dev.evenkeel.serve.http.lane.OpenTask;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer.
 *
 * <p><b>Invariants.</b> It is in its lane's list from {@link #begin} until it ended, and ends once.
 * A stream that came as an answer is closed once it ended or the client is gone. What its body
 * counts for the limit of pending bodies is given back when it is answered or ended.
 *
 * <p><b>Threading.</b> The lane's event loop.
 */
public final class Exchange extends OpenTask {

  private static final System.Logger LOG = System.getLogger(Exchange.class.getName());

  /** How long what a refused client still sends is thrown away, so that it reads the refusal. */
  private static final long LINGER_NANOS = 2_000_000_000L;

  private static final long NEVER = Long.MAX_VALUE;
  private static final long RESET_NO_ERROR = 0;
  private static final long RESET_INTERNAL_ERROR = 2;

  final Lane lane;
  final HttpServerRequest request;
  final HttpServerResponse response;
  final Connection connection;

  private byte[] body = ApiRequest.Body.NONE.bytes();
  private int bodyBytes;
  private long deadlineNanos = NEVER;
  private boolean answering;
  private boolean ended;
  private boolean lingering;
  private @Nullable StreamPump pump;
  private @Nullable Upgrade upgrade;

  // Written by whichever thread the core answers on, read on the lane after it was queued.
  private @Nullable ApiResponse answer;

  public Exchange(Lane lane, HttpServerRequest request) {
    this.lane = lane;
    this.request = request;
    this.response = request.response();
    this.connection = Connection.of(request.connection());
  }

  public void begin() {
    lane.add(this);
    lane.tally.requests.increment();
    connection.requestBegan();
    response.exceptionHandler(_ -> gone());
    response.closeHandler(_ -> gone());
    if (Upgrade.isWanted(request)) {
      // Held back until the core has said yes: the handshake wants the request whole.
      request.pause();
      upgrade = new Upgrade(request);
      ask(upgrade.headers());
    } else {
      readBody();
    }
  }

  // ---- the request

  private void readBody() {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length == null && !isHttp2() && request.getHeader(HttpHeaders.TRANSFER_ENCODING) == null) {
      ask(null);
      return;
    }
    long announced = length == null ? -1 : parsed(length);
    String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    if (announced > lane.limits.bodyBytesMax()) {
      refuse(Refusals.bodyTooLarge(lane.limits.bodyBytesMax()));
      return;
    }
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      refuse(Refusals.compressedBody(encoding));
      return;
    }
    if (announced > 0) {
      if (isRefusedAnyway()) {
        return;
      }
      body = new byte[(int) Math.min(announced, Staging.BYTES)];
    }
    deadlineNanos = lane.clock.nanoTime() + lane.limits.bodyTimeout().toNanos();
    request.handler(this::onChunk).endHandler(_ -> onBodyEnd());
    if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      var _ = response.writeContinue();
    }
  }

  /** Asked once for a request that has a body, before any of it is kept. */
  private boolean isRefusedAnyway() {
    ApiResponse refusal = lane.handler.refusal(request(null));
    if (refusal != null) {
      refuse(refusal);
    }
    return refusal != null;
  }

  private static long parsed(String length) {
    try {
      return Long.parseLong(length);
    } catch (NumberFormatException e) {
      return -1; // the decoder has refused what is no number already
    }
  }

  private void onChunk(Buffer chunk) {
    if (answering || ended) {
      return;
    }
    int bytes = chunk.length();
    if (body.length == 0 && isRefusedAnyway()) {
      return; // its length was not announced, so it was not asked before
    }
    if (bodyBytes + bytes > lane.limits.bodyBytesMax()) {
      refuse(Refusals.bodyTooLarge(lane.limits.bodyBytesMax()));
      return;
    }
    if (lane.tally.pendingBody.addAndGet(bytes) > lane.limits.pendingBodyBytesMax()) {
      lane.tally.pendingBody.addAndGet(-bytes);
      refuse(Refusals.tooManyBodies());
      return;
    }
    if (bodyBytes + bytes > body.length) {
      body = Arrays.copyOf(body, Math.max(bodyBytes + bytes, body.length * 2));
    }
    chunk.getBytes(body, bodyBytes);
    bodyBytes += bytes;
  }

  private void onBodyEnd() {
    if (lingering) {
      letGo();
    } else if (!answering && !ended) {
      deadlineNanos = NEVER;
      if (body.length != bodyBytes) {
        body = Arrays.copyOf(body, bodyBytes);
      }
      ask(null);
    }
  }

  private void ask(java.util.@Nullable Map<String, String> ownHeaders) {
    answering = true;
    ApiRequest asked = request(ownHeaders);
    body = ApiRequest.Body.NONE.bytes();
    CompletableFuture<ApiResponse> future;
    try {
      future = lane.handler.handle(asked);
    } catch (RuntimeException | Error e) {
      future = CompletableFuture.failedFuture(e);
    }
    if (future.isDone()) {
      take(future);
      lane.run(this);
    } else {
      var _ =
          future.whenComplete(
              (response, failure) -> {
                answer = response == null ? broken(failure) : response;
                lane.answer(this);
              });
    }
  }

  /** The request, with what there is of its body. */
  private ApiRequest request(java.util.@Nullable Map<String, String> ownHeaders) {
    String uri = request.uri();
    int question = uri.indexOf('?');
    return new ApiRequest(
        request.method().name(),
        question < 0 ? uri : uri.substring(0, question),
        question < 0 ? "" : uri.substring(question + 1),
        ownHeaders == null ? new RequestHeaders(request.headers()) : ownHeaders,
        connection.peer(request.connection()),
        bodyBytes == 0 ? ApiRequest.Body.NONE : new ApiRequest.Body(body),
        connection.address());
  }

  private void take(CompletableFuture<ApiResponse> done) {
    try {
      answer = done.join();
    } catch (RuntimeException e) {
      answer = broken(e);
    }
  }

  private static ApiResponse broken(@Nullable Throwable failure) {
    LOG.log(System.Logger.Level.ERROR, "a request could not be answered", failure);
    return Refusals.broken();
  }

  // ---- the answer

  /** The core has answered. */
  @Override
  protected void turn() {
    ApiResponse given = answer;
    answer = null;
    if (given != null) {
      releaseBody();
      if (ended) {
        close(given.content());
      } else {
        boolean sent = false;
        try {
          send(given);
          sent = true;
        } finally {
          if (!sent) {
            close(given.content());
          }
        }
      }
    }
  }

  @Override
  protected void abandon() {
    cut();
  }

  private void send(ApiResponse given) {
    AnswerHeaders.put(request, response);
    if (upgrade != null) {
      if (given.status() == 200
          && given.content() instanceof ApiResponse.Streamed(var stream, var kind)
          && kind == ApiResponse.Kind.EVENTS) {
        upgrade.accept(this, stream);
        return;
      }
      request.resume();
    }
    response.setStatusCode(given.status());
    for (ApiResponse.Header header : given.headers()) {
      if (header.name().equals("Cache-Control")) {
        response.headers().set(HttpHeaders.CACHE_CONTROL, header.value());
      } else {
        response.headers().add(header.name(), header.value());
      }
    }
    if (lane.draining() && !isHttp2()) {
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    switch (given.content()) {
      case ApiResponse.Whole(byte[] bytes) -> sendWhole(bytes);
      case ApiResponse.Streamed(var stream, var kind) -> {
        if (request.method().equals(HttpMethod.HEAD)) {
          stream.close();
          var _ = response.end();
          end();
        } else {
          pump(new BodyPump(this, stream, kind, mayCompress(kind)));
        }
      }
    }
  }

  private void sendWhole(byte[] bytes) {
    if (request.method().equals(HttpMethod.HEAD)) {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(bytes.length));
      var _ = response.end();
      end();
    } else if (bytes.length >= lane.limits.gzipBytesMin() && mayCompress(ApiResponse.Kind.BODY)) {
      pump(new BodyPump(this, new WholeStream(bytes), ApiResponse.Kind.BODY, true));
    } else {
      var _ = response.end(VertxInside.buffer(bytes));
      end();
    }
  }

  private boolean mayCompress(ApiResponse.Kind kind) {
    return kind == ApiResponse.Kind.BODY
        && HeaderWords.acceptsGzip(request.getHeader(HttpHeaders.ACCEPT_ENCODING))
        && !response.headers().contains(HttpHeaders.CONTENT_ENCODING);
  }

  /** Starts to pull. */
  void pump(StreamPump started) {
    pump = started;
    lane.tally.streams.increment();
    lane.run(started);
  }

  /** Answers before the request is whole, and lets go of the connection it still comes on. */
  private void refuse(ApiResponse refusal) {
    answering = true;
    releaseBody();
    body = ApiRequest.Body.NONE.bytes();
    request.handler(_ -> {});
    request.endHandler(_ -> onBodyEnd());
    AnswerHeaders.put(request, response);
    response.setStatusCode(refusal.status());
    for (ApiResponse.Header header : refusal.headers()) {
      response.headers().add(header.name(), header.value());
    }
    if (!isHttp2()) {
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    // What still comes is thrown away for a while: a connection closed on unread bytes, or a stream
    // reset at once, would take the refusal with it.
    lingering = true;
    deadlineNanos = lane.clock.nanoTime() + LINGER_NANOS;
    var _ = response.end(VertxInside.buffer(((ApiResponse.Whole) refusal.content()).bytes()));
  }

  // ---- the end

  /** The answer is with the connection, wholly. */
  void end() {
    if (ended) {
      return;
    }
    ended = true;
    releaseBody();
    lane.remove(this);
    connection.requestEnded();
    lane.tally.requestsEnded.increment();
    if (pump != null) {
      lane.tally.streams.decrement();
      pump.release();
    }
  }

  /** The client is gone, or its stream is. */
  void gone() {
    end();
  }

  /** Cuts the answer off, so that the client does not take it for whole. */
  void cut() {
    end();
    if (isHttp2()) {
      var _ = response.reset(RESET_INTERNAL_ERROR);
    } else {
      request.connection().close();
    }
  }

  /** Ends a refused request: its HTTP/1.1 connection with it, of HTTP/2 the stream alone. */
  private void letGo() {
    boolean whole = request.isEnded();
    end();
    if (!isHttp2()) {
      request.connection().close();
    } else if (!whole) {
      var _ = response.reset(RESET_NO_ERROR);
    }
  }

  @Override
  protected void giveUpIfLate(long nowNanos) {
    if (deadlineNanos != NEVER && nowNanos - deadlineNanos >= 0) {
      if (lingering) {
        letGo();
      } else {
        lane.tally.timeouts.increment();
        cut();
      }
    } else if (pump != null && pump.isStalled(nowNanos)) {
      lane.tally.timeouts.increment();
      cut();
    }
  }

  private void releaseBody() {
    if (bodyBytes > 0) {
      lane.tally.pendingBody.addAndGet(-bodyBytes);
      bodyBytes = 0;
    }
  }

  boolean isHttp2() {
    return request.version() == HttpVersion.HTTP_2;
  }

  boolean ended() {
    return ended;
  }

  private static void close(ApiResponse.Content content) {
    if (content instanceof ApiResponse.Streamed(var stream, var _)) {
      stream.close();
    }
  }
}
