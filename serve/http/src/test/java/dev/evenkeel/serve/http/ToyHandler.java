package dev.evenkeel.serve.http;

import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.BodyStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A core for transport tests: each path is a kind of answer.
 *
 * <pre>
 *   /echo        method, path, query, peer, headers and the body's length, in lines
 *   /small       a few bytes
 *   /later       the same, answered by another thread
 *   /never       never answered, until {@link #answerAll}
 *   /whole/N     N bytes at once
 *   /stream/N    N bytes, pulled
 *   /events/X    a watch, fed by {@link #feed}
 *   /slowEvents  how many events called "slow" were pulled, each of which takes a millisecond
 *   /hold        holds the event loop up, which no core does
 *   /refused     a 401 that does not wait for the body
 *   /fail        a handler that throws
 *   /broken      a stream that throws in its middle
 *   /denied      a 403
 * </pre>
 */
final class ToyHandler implements ApiHandler {

  static final byte[] NOTHING = new byte[0];

  final Map<String, EventStream> watches = new ConcurrentHashMap<>();
  final AtomicInteger streamsOpen = new AtomicInteger();
  final Map<String, CompletableFuture<ApiResponse>> unanswered = new ConcurrentHashMap<>();

  /** For {@code /hold}: given when the event loop is held, to be given to let it go. */
  final Semaphore holding = new Semaphore(0);

  final Semaphore goOn = new Semaphore(0);
  final AtomicInteger slowEvents = new AtomicInteger();
  volatile @Nullable String lastAuthorization;
  final CountDownLatch firstUnanswered = new CountDownLatch(1);

  @Override
  public @Nullable ApiResponse refusal(ApiRequest request) {
    return request.path().equals("/refused") ? text(401, "no") : null;
  }

  @Override
  public CompletableFuture<ApiResponse> handle(ApiRequest request) {
    String path = request.path();
    lastAuthorization = request.header("authorization");
    if (path.equals("/later")) {
      var later = new CompletableFuture<ApiResponse>();
      Thread.ofVirtual().start(() -> later.complete(text(200, "later")));
      return later;
    }
    if (path.equals("/hold")) {
      holding.release();
      goOn.acquireUninterruptibly();
    }
    if (path.startsWith("/never")) {
      var never = new CompletableFuture<ApiResponse>();
      unanswered.put(path, never);
      firstUnanswered.countDown();
      return never;
    }
    return CompletableFuture.completedFuture(answer(request, path));
  }

  private ApiResponse answer(ApiRequest request, String path) {
    if (path.startsWith("/whole/")) {
      return new ApiResponse(
          200, List.of(), new ApiResponse.Whole(pattern(number(path, "/whole/"))));
    }
    if (path.startsWith("/stream/")) {
      return streamed(new PatternStream(number(path, "/stream/")), ApiResponse.Kind.BODY);
    }
    if (path.startsWith("/events/")) {
      var stream = new EventStream();
      watches.put(path, stream);
      return streamed(stream, ApiResponse.Kind.EVENTS);
    }
    return switch (path) {
      case "/echo" -> text(200, echo(request));
      case "/small" ->
          new ApiResponse(
              200,
              List.of(
                  new ApiResponse.Header("Warning", "299 - \"one\""),
                  new ApiResponse.Header("Warning", "299 - \"two\"")),
              new ApiResponse.Whole("small".getBytes(StandardCharsets.UTF_8)));
      case "/slowEvents" -> text(200, slowEvents.toString());
      case "/fail" -> throw new IllegalStateException("broken on purpose");
      case "/broken" -> streamed(new BrokenStream(), ApiResponse.Kind.BODY);
      case "/denied" -> text(403, "no");
      default -> text(404, "nothing here");
    };
  }

  private ApiResponse streamed(CountedStream stream, ApiResponse.Kind kind) {
    streamsOpen.incrementAndGet();
    return new ApiResponse(200, List.of(), new ApiResponse.Streamed(stream, kind));
  }

  static ApiResponse text(int status, String text) {
    return new ApiResponse(
        status,
        List.of(new ApiResponse.Header("Content-Type", "text/plain")),
        new ApiResponse.Whole(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String echo(ApiRequest request) {
    var text = new StringBuilder();
    text.append(request.method()).append('\n');
    text.append(request.path()).append('\n');
    text.append(request.query()).append('\n');
    text.append(request.peer()).append('\n');
    text.append(request.body().bytes().length).append('\n');
    new TreeMap<>(request.headers())
        .forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    return text.toString();
  }

  private static int number(String path, String prefix) {
    return Integer.parseInt(path.substring(prefix.length()));
  }

  /** So many bytes that tell their place, and compress. */
  static byte[] pattern(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = patternAt(i);
    }
    return bytes;
  }

  static byte patternAt(long position) {
    return (byte) ('a' + (position * 31 + position / 1000) % 26);
  }

  EventStream watch(String path) {
    EventStream stream = watches.get(path);
    if (stream == null) {
      throw new IllegalStateException("nobody watches " + path);
    }
    return stream;
  }

  void feed(String path, String event) {
    watch(path).feed(event);
  }

  void answerAll() {
    unanswered.values().forEach(future -> future.complete(text(200, "at last")));
  }

  abstract class CountedStream implements BodyStream {
    private boolean closed;

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        streamsOpen.decrementAndGet();
      }
    }

    synchronized boolean closed() {
      return closed;
    }
  }

  /** So many bytes in pieces of a thousand. */
  final class PatternStream extends CountedStream {
    private final long length;
    private long position;

    PatternStream(long length) {
      this.length = length;
    }

    @Override
    public Pull pull(Sink sink, int bytesMax) {
      int pulled = 0;
      while (position < length) {
        int size = (int) Math.min(1000, length - position);
        byte[] body = new byte[size];
        for (int i = 0; i < size; i++) {
          body[i] = patternAt(position + i);
        }
        sink.piece(NOTHING, body, NOTHING);
        position += size;
        pulled += size;
        if (pulled >= bytesMax && position < length) {
          return Pull.MORE;
        }
      }
      return Pull.END;
    }

    @Override
    public void onReady(Runnable listener) {
      listener.run();
    }
  }

  /** Fails after its first pull. */
  final class BrokenStream extends CountedStream {
    private boolean began;

    @Override
    public Pull pull(Sink sink, int bytesMax) {
      if (began) {
        throw new IllegalStateException("broken on purpose");
      }
      began = true;
      sink.piece(pattern(70_000), NOTHING, NOTHING);
      return Pull.MORE;
    }

    @Override
    public void onReady(Runnable listener) {
      listener.run();
    }
  }

  /** A watch that a test feeds. An event called "end" ends it. */
  final class EventStream extends CountedStream {
    private final List<String> events = new java.util.ArrayList<>();
    private int next;
    private @Nullable Runnable listener;

    void feed(String event) {
      Runnable woken;
      synchronized (this) {
        events.add(event);
        woken = listener;
        listener = null;
      }
      if (woken != null) {
        woken.run();
      }
    }

    @Override
    public synchronized Pull pull(Sink sink, int bytesMax) {
      int pulled = 0;
      while (next < events.size()) {
        String event = events.get(next++);
        if (event.equals("end")) {
          return Pull.END;
        }
        if (event.equals("slow")) {
          slowEvents.incrementAndGet();
          LockSupport.parkNanos(1_000_000);
        }
        byte[] body = event.getBytes(StandardCharsets.UTF_8);
        sink.piece("{".getBytes(StandardCharsets.UTF_8), body, new byte[] {'}', '\n'});
        pulled += body.length;
        if (pulled >= bytesMax && next < events.size()) {
          return Pull.MORE;
        }
      }
      return Pull.WAIT;
    }

    synchronized int taken() {
      return next;
    }

    @Override
    public void onReady(Runnable woken) {
      synchronized (this) {
        if (next >= events.size()) {
          listener = woken;
          return;
        }
      }
      woken.run();
    }
  }
}
