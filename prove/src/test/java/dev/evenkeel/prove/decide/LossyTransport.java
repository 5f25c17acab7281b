package dev.evenkeel.prove.decide;

import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.OutcomeUnknownException;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Transport;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Loses some of the answers to writes, after they were done or before they are sent. */
final class LossyTransport implements Transport {

  private final Transport to;
  private final Random random;
  int percent;

  LossyTransport(Transport to, Random random, int percent) {
    this.to = to;
    this.random = random;
    this.percent = percent;
  }

  @Override
  public CompletableFuture<Answer> send(Request request) {
    boolean write = !request.method().equals("GET");
    if (write && random.nextInt(100) < percent) {
      boolean done = random.nextBoolean();
      CompletableFuture<?> first =
          done ? to.send(request) : CompletableFuture.completedFuture(null);
      return first
          .handle((_, _) -> null)
          .thenCompose(
              _ ->
                  CompletableFuture.<Answer>failedFuture(
                      new OutcomeUnknownException(
                          "the connection was lost", new IOException("cut"))));
    }
    return to.send(request);
  }

  @Override
  public void close() {
    to.close();
  }
}
