package dev.evenkeel.prove.schedule;

import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.AnswerBody;
import dev.evenkeel.observe.transport.OutcomeUnknownException;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Delivers what is watched late, and patches too; and loses some of the answers to writes. */
final class LaggingTransport implements Transport {

  private final Transport to;
  private final Loop loop;
  private final Random random;
  private final Predicate<String> lagging;
  Duration lag = Duration.ZERO;

  /** How long patches are on their way; everything else overtakes them. */
  Duration patchLag = Duration.ZERO;

  int lossPercent;

  /**
   * @param lagging which paths' watches are late
   */
  LaggingTransport(Transport to, Loop loop, Random random, Predicate<String> lagging) {
    this.to = to;
    this.loop = loop;
    this.random = random;
    this.lagging = lagging;
  }

  @Override
  public CompletableFuture<Answer> send(Request request) {
    boolean write = !request.method().equals("GET");
    if (write && random.nextInt(100) < lossPercent) {
      CompletableFuture<?> first =
          random.nextBoolean() ? to.send(request) : CompletableFuture.completedFuture(null);
      return first
          .handle((_, _) -> null)
          .thenCompose(
              _ ->
                  CompletableFuture.failedFuture(
                      new OutcomeUnknownException(
                          "the connection was lost", new IOException("cut"))));
    }
    if (request.method().equals("PATCH") && !patchLag.isZero()) {
      var sent = new CompletableFuture<CompletableFuture<Answer>>();
      var _ = loop.runLater(patchLag, () -> sent.complete(to.send(request)));
      return sent.thenCompose(answer -> answer);
    }
    if (write || !request.query().contains("watch=") || !lagging.test(request.path())) {
      return to.send(request);
    }
    return to.send(request)
        .thenApply(
            answer -> new Answer(answer.status(), answer.headers(), new LateBody(answer.body())));
  }

  @Override
  public void close() {
    to.close();
  }

  private final class LateBody implements AnswerBody {
    private final AnswerBody body;

    LateBody(AnswerBody body) {
      this.body = body;
    }

    @Override
    public CompletableFuture<@Nullable ByteBuffer> next() {
      return body.next()
          .thenCompose(
              bytes -> {
                if (lag.isZero()) {
                  return CompletableFuture.completedFuture(bytes);
                }
                var late = new CompletableFuture<@Nullable ByteBuffer>();
                var _ = loop.runLater(lag, () -> late.complete(bytes));
                return late;
              });
    }

    @Override
    public void close() {
      body.close();
    }
  }
}
