package dev.evenkeel.serve.webhook;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.serve.admission.AnswerAwaited;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * What webhooks said about one write so far. The write is decided again with each answer, and when
 * the object changed meanwhile; a webhook is asked again only about what it has not seen.
 *
 * <p><b>Threading:</b> one thread at a time, as the write.
 */
final class Answers {

  private final Clock clock;
  private final long endNanos;
  private final Map<String, CompletableFuture<Outcome>> known = new HashMap<>();

  Answers(Clock clock, Duration requestTime) {
    this.clock = clock;
    this.endNanos = clock.nanoTime() + requestTime.toNanos();
  }

  /** The answers to the questions, all of which are asked at the same time. */
  List<Outcome> of(List<Review> questions, Function<Review, CompletableFuture<Outcome>> ask) {
    List<CompletableFuture<Outcome>> asked = new ArrayList<>(questions.size());
    boolean all = true;
    for (Review question : questions) {
      String digest = question.digest();
      CompletableFuture<Outcome> answer = known.get(digest);
      if (answer == null) {
        if (left().isNegative() || left().isZero()) {
          throw Status.timeout("request did not complete within requested timeout", List.of(), 0)
              .asException();
        }
        answer = ask.apply(question);
        known.put(digest, answer);
      }
      all &= answer.isDone();
      asked.add(answer);
    }
    if (!all) {
      throw new AnswerAwaited(CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new)));
    }
    return asked.stream().map(CompletableFuture::join).toList();
  }

  /** How long the request may still take. */
  Duration left() {
    return Duration.ofNanos(endNanos - clock.nanoTime());
  }
}
