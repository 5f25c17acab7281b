package dev.evenkeel.operate.inprocess;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.AnswerBody;
import dev.evenkeel.observe.transport.Header;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Transport;
import dev.evenkeel.observe.transport.TransportException;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.BodyStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Calls a server's core. Requests go through everything that those from the network do, as the
 * identity that the assembly names.
 *
 * <p><b>Threading:</b> for any thread; bodies are pulled on a loop of its own.
 */
public final class InProcessTransport implements Transport {

  private static final int PULL_BYTES = 16 * 1024;

  /**
   * A stream that has been quiet is pulled at once, one that is busy not before this has passed.
   * Waking threads costs much more than what a change brings: at some thousand changes a second it
   * would take a third of the server's time.
   */
  private static final Duration GATHER = Duration.ofMillis(5);

  private final ApiHandler server;
  private final ApiRequest.Peer identity;
  private final String agent;
  private final Clock clock;
  private final Loop loop;
  private final Set<Body> open = ConcurrentHashMap.newKeySet();

  /** To a server, as somebody whom the assembly vouches for. */
  public InProcessTransport(Env env, ApiHandler server, ApiRequest.Peer identity) {
    this(env, server, identity, "");
  }

  /**
   * To a server, as somebody whom the assembly vouches for.
   *
   * @param agent what the caller is called, as the owner of fields above all; empty if nothing
   */
  public InProcessTransport(Env env, ApiHandler server, ApiRequest.Peer identity, String agent) {
    this.server = server;
    this.agent = agent;
    this.identity = identity;
    this.clock = env.clock();
    this.loop = env.loop("in-process");
  }

  @Override
  public CompletableFuture<Answer> send(Request request) {
    Map<String, String> headers = new HashMap<>();
    for (Header header : request.headers()) {
      headers.putIfAbsent(header.name().toLowerCase(Locale.ROOT), header.value());
    }
    if (!agent.isEmpty()) {
      headers.putIfAbsent("user-agent", agent);
    }
    return server
        .handle(
            new ApiRequest(
                request.method(),
                request.path(),
                request.query(),
                headers,
                identity,
                new ApiRequest.Body(request.body().array())))
        .thenApply(this::answer)
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    new TransportException(
                        TransportException.Reached.PERHAPS,
                        request + ": the server failed: " + failure.getMessage(),
                        failure)));
  }

  private Answer answer(ApiResponse response) {
    List<Header> headers =
        response.headers().stream()
            .map(header -> new Header(header.name(), header.value()))
            .toList();
    AnswerBody body =
        switch (response.content()) {
          case ApiResponse.Whole whole -> new Once(whole.bytes());
          case ApiResponse.Streamed streamed -> {
            var pulled = new Body(streamed.stream());
            open.add(pulled);
            yield pulled;
          }
        };
    return new Answer(response.status(), headers, body);
  }

  @Override
  public void close() {
    open.forEach(Body::close);
    loop.close();
  }

  /** A body that is there. */
  private static final class Once implements AnswerBody {
    private final byte[] bytes;
    private boolean given;

    Once(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public CompletableFuture<@Nullable ByteBuffer> next() {
      ByteBuffer piece =
          given || bytes.length == 0 ? null : ByteBuffer.wrap(bytes).asReadOnlyBuffer();
      given = true;
      return CompletableFuture.completedFuture(piece);
    }

    @Override
    public void close() {}
  }

  /**
   * A body that is pulled when its reader asks.
   *
   * <p><b>Threading:</b> pulled on the loop; told that there is more on any thread, but only after
   * a pull has asked for it; closed by anybody, who then fails the reader.
   */
  private final class Body implements AnswerBody {
    private final BodyStream stream;
    private byte[] bytes = new byte[0];
    private int length;
    private boolean ended;
    private long pulledNanos = clock.nanoTime() - GATHER.toNanos();
    private volatile @Nullable CompletableFuture<@Nullable ByteBuffer> reader;
    private volatile boolean closed;

    Body(BodyStream stream) {
      this.stream = stream;
    }

    @Override
    public CompletableFuture<@Nullable ByteBuffer> next() {
      var waiting = new CompletableFuture<@Nullable ByteBuffer>();
      reader = waiting;
      pullOnLoop(waiting);
      if (closed) {
        waiting.completeExceptionally(isClosed());
      }
      return waiting;
    }

    private void pullOnLoop(CompletableFuture<@Nullable ByteBuffer> waiting) {
      try {
        loop.execute(() -> pull(waiting));
      } catch (RejectedExecutionException e) {
        waiting.completeExceptionally(isClosed());
      }
    }

    private void pullOnceGathered(CompletableFuture<@Nullable ByteBuffer> waiting) {
      long left = GATHER.toNanos() - (clock.nanoTime() - pulledNanos);
      if (left <= 0) {
        pullOnLoop(waiting);
        return;
      }
      try {
        loop.runLater(Duration.ofNanos(left), () -> pull(waiting));
      } catch (RejectedExecutionException e) {
        waiting.completeExceptionally(isClosed());
      }
    }

    private void pull(CompletableFuture<@Nullable ByteBuffer> waiting) {
      if (closed || waiting.isDone()) {
        return;
      }
      if (ended) {
        open.remove(this);
        waiting.complete(null);
        return;
      }
      length = 0;
      BodyStream.Pull pulled = stream.pull(this::take, PULL_BYTES);
      ended = pulled == BodyStream.Pull.END;
      if (length > 0) {
        pulledNanos = clock.nanoTime();
        waiting.complete(ByteBuffer.wrap(bytes, 0, length).slice());
      } else if (ended) {
        open.remove(this);
        waiting.complete(null);
      } else if (pulled == BodyStream.Pull.MORE) {
        pullOnLoop(waiting);
      } else {
        stream.onReady(() -> pullOnceGathered(waiting));
      }
    }

    private void take(byte[] head, byte[] body, byte[] tail) {
      int more = head.length + body.length + tail.length;
      if (length + more > bytes.length) {
        bytes = java.util.Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
      }
      System.arraycopy(head, 0, bytes, length, head.length);
      System.arraycopy(body, 0, bytes, length + head.length, body.length);
      System.arraycopy(tail, 0, bytes, length + head.length + body.length, tail.length);
      length += more;
    }

    private TransportException isClosed() {
      return new TransportException(
          TransportException.Reached.PERHAPS, "the answer was closed", null);
    }

    @Override
    public void close() {
      closed = true;
      open.remove(this);
      stream.close();
      CompletableFuture<@Nullable ByteBuffer> waiting = reader;
      if (waiting != null) {
        waiting.completeExceptionally(isClosed());
      }
    }
  }
}
