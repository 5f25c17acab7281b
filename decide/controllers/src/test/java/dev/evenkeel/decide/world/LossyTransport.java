package dev.evenkeel.decide.world;

import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.AnswerBody;
import dev.evenkeel.observe.transport.OutcomeUnknownException;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Transport;
import dev.evenkeel.observe.transport.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A process's way to the server on which everything goes wrong that can: answers to writes get
 * lost, after they were done or before they are sent; creates arrive long after nobody waits for
 * them any more; reads fail; what is watched comes late, or never.
 */
public final class LossyTransport implements Transport {

  private static final String TOO_OLD =
      """
      {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410,
       "message":"too old resource version"}
      """;

  private final Transport to;
  private final Loop loop;
  private final Random random;
  private final Set<String> watched = new TreeSet<>();
  private final Set<String> silent = new HashSet<>();
  private final Set<String> expired = new HashSet<>();
  private final List<Body> bodies = new ArrayList<>();
  private boolean closed;

  /** So many of the writes get no answer. */
  public int percent;

  /** So many of the creates without an answer are under way still, and arrive later. */
  public int latePercent;

  /** So many of the reads fail, of those that may. */
  public int readsFailPercent;

  public Predicate<String> readsThatFail = _ -> true;

  /** How late what is watched comes. */
  public Duration lag = Duration.ZERO;

  public LossyTransport(Transport to, Loop loop, Random random, int percent) {
    this.to = to;
    this.loop = loop;
    this.random = random;
    this.percent = percent;
  }

  // ---- trouble

  /** Something else goes wrong from now on, or is well again. */
  public void trouble() {
    switch (random.nextInt(10)) {
      case 0 -> silence(anyWatched(), false);
      case 1, 2 -> silence(anyWatched(), true);
      case 3 -> lag = Duration.ofMillis(random.nextInt(60_000));
      case 4 -> readsFailPercent = random.nextBoolean() ? 100 : 50;
      case 5 -> latePercent = 50;
      case 6 -> lag = Duration.ZERO;
      case 7 -> readsFailPercent = 0;
      case 8 -> silent.clear();
      default -> {}
    }
  }

  private String anyWatched() {
    List<String> all = List.copyOf(watched);
    return all.isEmpty() ? "" : all.get(random.nextInt(all.size()));
  }

  /**
   * Nothing comes any more from what watches a path.
   *
   * @param fromNewOnesToo or only from those that are open
   */
  public void silence(String path, boolean fromNewOnesToo) {
    if (fromNewOnesToo) {
      silent.add(path);
    }
    bodies.removeIf(
        body -> {
          body.dead |= body.path.equals(path);
          return body.dead;
        });
  }

  /** What watches a path is told, once, that it is too late to go on: it has to list anew. */
  public void expire(String path) {
    silence(path, false);
    expired.add(path);
  }

  /** All is well from now on; what died stays dead. */
  public void well() {
    percent = 0;
    latePercent = 0;
    readsFailPercent = 0;
    lag = Duration.ZERO;
    silent.clear();
  }

  // ---- the way

  @Override
  public CompletableFuture<Answer> send(Request request) {
    if (!request.method().equals("GET")) {
      return write(request);
    }
    if (request.query().contains("watch=")) {
      watched.add(request.path());
      if (expired.remove(request.path())) {
        return CompletableFuture.completedFuture(new Answer(410, List.of(), new Text(TOO_OLD)));
      }
      return to.send(request)
          .thenApply(
              answer ->
                  new Answer(
                      answer.status(), answer.headers(), new Body(request.path(), answer.body())));
    }
    if (random.nextInt(100) < readsFailPercent && readsThatFail.test(request.path())) {
      return CompletableFuture.failedFuture(
          new TransportException(
              TransportException.Reached.NOTHING, "no connection", new IOException("cut")));
    }
    return to.send(request);
  }

  private CompletableFuture<Answer> write(Request request) {
    if (random.nextInt(100) >= percent) {
      return to.send(request);
    }
    boolean done = random.nextBoolean();
    if (request.method().equals("POST") && random.nextInt(100) < latePercent) {
      var _ =
          loop.runLater(
              Duration.ofMillis(random.nextInt(20_000)),
              () -> {
                if (!closed) {
                  var _ = to.send(request);
                }
              });
      done = false;
    }
    CompletableFuture<?> first = done ? to.send(request) : CompletableFuture.completedFuture(null);
    return first
        .handle((_, _) -> null)
        .thenCompose(
            _ ->
                CompletableFuture.failedFuture(
                    new OutcomeUnknownException(
                        "the connection was lost", new IOException("cut"))));
  }

  /** Cuts it: what is still under way never arrives. */
  @Override
  public void close() {
    closed = true;
    to.close();
  }

  /** A body that is there as a whole. */
  private static final class Text implements AnswerBody {
    private @Nullable ByteBuffer rest;

    Text(String text) {
      rest = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public CompletableFuture<@Nullable ByteBuffer> next() {
      ByteBuffer piece = rest;
      rest = null;
      return CompletableFuture.completedFuture(piece);
    }

    @Override
    public void close() {}
  }

  private final class Body implements AnswerBody {
    private final String path;
    private final AnswerBody body;
    private boolean dead;

    Body(String path, AnswerBody body) {
      this.path = path;
      this.body = body;
      bodies.add(this);
    }

    @Override
    public CompletableFuture<@Nullable ByteBuffer> next() {
      var next = new CompletableFuture<@Nullable ByteBuffer>();
      var _ =
          body.next()
              .whenComplete(
                  (piece, failure) -> {
                    if (failure != null) {
                      next.completeExceptionally(failure);
                    } else if (dead || silent.contains(path)) {
                      dead = true;
                    } else if (lag.isZero()) {
                      next.complete(piece);
                    } else {
                      var _ = loop.runLater(lag, () -> next.complete(piece));
                    }
                  });
      return next;
    }

    @Override
    public void close() {
      bodies.remove(this);
      body.close();
    }
  }
}
