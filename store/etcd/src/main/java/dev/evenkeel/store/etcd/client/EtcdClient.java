package dev.evenkeel.store.etcd.client;

import com.google.protobuf.ByteString;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Requests to an etcd cluster. They go to one member until that fails, then to the next.
 *
 * <p>{@link #read} repeats a request until it is answered or the time is over. {@link #write} sends
 * one at most once: it goes on to another member only while nothing was sent, or when etcd says
 * that it did nothing. Every request asks that the member have a leader: one without refuses at
 * once instead of holding the request until its own timeout.
 *
 * <p><b>Invariants.</b> {@link #knownRevision} only grows, and the store was at it before now.
 *
 * <p><b>Threading.</b> Any thread may call. Futures complete on the transport's threads.
 */
public final class EtcdClient implements AutoCloseable {

  private static final Metadata.Key<String> HAS_LEADER =
      Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

  private static final Status OVERDUE =
      Status.DEADLINE_EXCEEDED.withDescription("no answer in time");

  private static final Status CLOSED = Status.CANCELLED.withDescription("the store is closed");

  private static final long BACKOFF_FIRST_MILLIS = 20;
  private static final long BACKOFF_MAX_MILLIS = 500;

  /** A read that hangs is tried elsewhere after this part of the request timeout. */
  private static final int READ_ATTEMPTS_PER_TIMEOUT = 3;

  private final EtcdOptions options;
  private final Loop timers;
  private final Clock clock;
  private final RandomGenerator random;
  private final LiveEtcdCounters tally;
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final AtomicInteger current = new AtomicInteger();
  private final AtomicLong knownRevision = new AtomicLong();
  private volatile @Nullable String token;
  private volatile boolean closed;

  public EtcdClient(Env env, Loop timers, EtcdOptions options, LiveEtcdCounters tally) {
    this.options = options;
    this.timers = timers;
    this.clock = env.clock();
    this.random = env.random();
    this.tally = tally;
    for (String endpoint : options.endpoints()) {
      endpoints.add(Endpoint.of(endpoint, options.tls()));
    }
  }

  /** A revision that the store had reached before now. */
  public long knownRevision() {
    return knownRevision.get();
  }

  public void learnRevision(long revision) {
    knownRevision.accumulateAndGet(revision, Math::max);
  }

  /** A request that may be repeated. Fails with {@link CallFailed}. */
  public <Q, R> CompletableFuture<R> read(MethodDescriptor<Q, R> method, Q request) {
    return new Request<>(method, request, null).start();
  }

  /**
   * A request that is sent at most once. Fails with {@link CallFailed}.
   *
   * @param late where the answer goes if it comes after the request timeout and within the settle
   *     timeout, as it does when a server hung: better late than unknown
   */
  public <Q, R> CompletableFuture<R> write(
      MethodDescriptor<Q, R> method, Q request, CompletableFuture<R> late) {
    return new Request<>(method, request, late).start();
  }

  /** The member that requests go to at the moment. */
  public Endpoint currentEndpoint() {
    return endpoints.get(Math.floorMod(current.get(), endpoints.size()));
  }

  /** From now on requests go to the next member, unless they already left this one. */
  public void leave(Endpoint endpoint) {
    int index = current.get();
    if (endpoints.get(Math.floorMod(index, endpoints.size())).equals(endpoint)) {
      current.compareAndSet(index, index + 1);
    }
    // Without this, a member that was down for long would be tried again after minutes only.
    endpoint.channel().resetConnectBackoff();
  }

  /**
   * Headers for a stream of the caller's own; completes when there is a token, if one is needed.
   * Fails if none comes within the request timeout.
   */
  public CompletableFuture<Metadata> headers(Endpoint endpoint) {
    return headers(endpoint, options.requestTimeout());
  }

  private CompletableFuture<Metadata> headers(Endpoint endpoint, Duration timeout) {
    var headers = new Metadata();
    headers.put(HAS_LEADER, "true");
    if (options.user() == null) {
      return CompletableFuture.completedFuture(headers);
    }
    String known = token;
    if (known != null) {
      headers.put(TOKEN, known);
      return CompletableFuture.completedFuture(headers);
    }
    return authenticate(endpoint, options.user(), timeout)
        .thenApply(
            fresh -> {
              token = fresh;
              headers.put(TOKEN, fresh);
              return headers;
            });
  }

  public void forgetToken() {
    token = null;
  }

  /** How long to wait before attempt number {@code attempt}, the first repetition being 1. */
  public Duration backoff(int attempt) {
    long base = Math.min(BACKOFF_MAX_MILLIS, BACKOFF_FIRST_MILLIS << Math.min(attempt - 1, 10));
    return Duration.ofMillis(base / 2 + random.nextLong(base / 2 + 1));
  }

  private CompletableFuture<String> authenticate(
      Endpoint endpoint, EtcdOptions.User user, Duration timeout) {
    var result = new CompletableFuture<AuthenticateResponse>();
    ClientCall<AuthenticateRequest, AuthenticateResponse> call =
        endpoint.channel().newCall(AuthGrpc.getAuthenticateMethod(), CallOptions.DEFAULT);
    Loop.Timer timer;
    try {
      timer =
          timers.runLater(
              timeout,
              () -> {
                result.completeExceptionally(new CallFailed(OVERDUE, false, endpoint.name()));
                call.cancel("no token in time", null);
              });
    } catch (RejectedExecutionException _) {
      return CompletableFuture.failedFuture(new CallFailed(CLOSED, false, endpoint.name()));
    }
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(AuthenticateResponse message) {
            result.complete(message);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            timer.cancel();
            result.completeExceptionally(new CallFailed(status, false, endpoint.name()));
          }
        },
        new Metadata());
    call.sendMessage(
        AuthenticateRequest.newBuilder()
            .setName(user.name())
            .setPasswordBytes(ByteString.copyFromUtf8(user.password()))
            .build());
    call.halfClose();
    call.request(2);
    return result.thenApply(AuthenticateResponse::getToken);
  }

  @Override
  public void close() {
    closed = true;
    for (Endpoint endpoint : endpoints) {
      endpoint.channel().shutdownNow();
    }
    for (Endpoint endpoint : endpoints) {
      try {
        endpoint.channel().awaitTermination(5, TimeUnit.SECONDS);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** One request with its attempts. An attempt begins only after the one before has ended. */
  private final class Request<Q, R> {

    private final MethodDescriptor<Q, R> method;
    private final Q request;
    private final @Nullable CompletableFuture<R> late;
    private final boolean repeatable;
    private final long deadlineNanos;
    private final CompletableFuture<R> result = new CompletableFuture<>();
    private int attempts;

    Request(MethodDescriptor<Q, R> method, Q request, @Nullable CompletableFuture<R> late) {
      this.method = method;
      this.request = request;
      this.late = late;
      this.repeatable = late == null;
      this.deadlineNanos = clock.nanoTime() + options.requestTimeout().toNanos();
    }

    CompletableFuture<R> start() {
      attempt();
      return result;
    }

    private void attempt() {
      Endpoint endpoint = currentEndpoint();
      attempts++;
      var _ =
          headers(endpoint, attemptTimeout())
              .whenComplete(
                  (headers, error) -> {
                    if (error != null) {
                      var cause = error.getCause() == null ? error : error.getCause();
                      ended(endpoint, Status.fromThrowable(cause), cause, false);
                    } else {
                      new Attempt(endpoint).begin(headers);
                    }
                  });
    }

    /** What is left of the time, or of a read's share of it. */
    private Duration attemptTimeout() {
      long leftNanos = deadlineNanos - clock.nanoTime();
      if (repeatable) {
        leftNanos =
            Math.min(leftNanos, options.requestTimeout().toNanos() / READ_ATTEMPTS_PER_TIMEOUT);
      }
      return Duration.ofNanos(Math.max(1, leftNanos));
    }

    private void ended(Endpoint endpoint, Status status, @Nullable Throwable cause, boolean sent) {
      var failure =
          cause instanceof CallFailed failed
              ? failed
              : new CallFailed(status, sent, endpoint.name());
      tally.error(failure.text());
      if (failure.staleToken()) {
        forgetToken();
      } else if (failure.refused() || EtcdErrors.isAnswerTooLarge(failure)) {
        result.completeExceptionally(failure);
        return;
      }
      leave(endpoint);
      boolean again = repeatable || failure.certainlyNotDone();
      Duration pause = backoff(attempts);
      if (!again || closed || clock.nanoTime() + pause.toNanos() >= deadlineNanos) {
        result.completeExceptionally(failure);
        return;
      }
      tally.retries.increment();
      try {
        var _ = timers.runLater(pause, this::attempt);
      } catch (RejectedExecutionException _) {
        result.completeExceptionally(failure);
      }
    }

    private final class Attempt extends ClientCall.Listener<R> {

      private final Endpoint endpoint;
      private final ClientCall<Q, R> call;
      private volatile boolean sent;
      private volatile boolean overdue;
      private volatile Loop.@Nullable Timer timer;
      private @Nullable R answer;

      Attempt(Endpoint endpoint) {
        this.endpoint = endpoint;
        var tracer =
            new ClientStreamTracer.Factory() {
              @Override
              public ClientStreamTracer newClientStreamTracer(
                  ClientStreamTracer.StreamInfo info, Metadata headers) {
                return new ClientStreamTracer() {
                  @Override
                  public void outboundHeaders() {
                    sent = true;
                  }
                };
              }
            };
        this.call =
            endpoint.channel().newCall(method, CallOptions.DEFAULT.withStreamTracerFactory(tracer));
      }

      void begin(Metadata headers) {
        try {
          timer = timers.runLater(attemptTimeout(), this::giveUp);
        } catch (RejectedExecutionException _) {
          ended(endpoint, CLOSED, null, false);
          return;
        }
        call.start(this, headers);
        call.request(2);
        call.sendMessage(request);
        call.halfClose();
      }

      private void giveUp() {
        overdue = true;
        if (late == null || !sent) {
          call.cancel("no answer in time", null);
          return;
        }
        ended(endpoint, OVERDUE, null, true);
        timer = timers.runLater(options.settleTimeout(), () -> call.cancel("too late", null));
      }

      @Override
      public void onMessage(R message) {
        answer = message;
      }

      @Override
      public void onClose(Status status, Metadata trailers) {
        Loop.Timer waiting = timer;
        if (waiting != null) {
          waiting.cancel();
        }
        R message = answer;
        if (overdue && late != null && result.isDone()) {
          if (status.isOk() && message != null) {
            late.complete(message);
          } else {
            late.completeExceptionally(new CallFailed(status, true, endpoint.name()));
          }
        } else if (status.isOk() && message != null) {
          result.complete(message);
        } else if (overdue && !result.isDone()) {
          ended(endpoint, OVERDUE, null, sent);
        } else {
          ended(endpoint, status, null, sent);
        }
      }
    }
  }
}
