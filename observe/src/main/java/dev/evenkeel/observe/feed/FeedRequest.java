package dev.evenkeel.observe.feed;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.AnswerBody;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Statuses;
import dev.evenkeel.observe.transport.Transport;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request of a feed and its answer, pulled piece by piece and watched over: if nothing comes
 * for too long it is reported as stuck.
 *
 * <p><b>Invariants:</b> it reports to its feed only while it is the feed's current one; a body that
 * comes after it was abandoned is closed.
 *
 * <p><b>Threading:</b> owned by the feed's loop.
 */
final class FeedRequest {

  /** So many pieces are taken in one go; then others on the loop have their turn. */
  private static final int PIECES_AT_ONCE = 32;

  private final Feed<?> feed;
  private final Loop loop;
  private final Clock clock;
  private final Request request;
  private final Feed.Reader reader;
  private final ByteArrayOutputStream gathered = new ByteArrayOutputStream(0);
  private @Nullable Answer answer;
  private Loop.@Nullable Timer watchdog;
  private Duration silenceMax = Duration.ZERO;
  private long signNanos;
  private long begunNanos;
  private boolean abandoned;

  FeedRequest(Feed<?> feed, Loop loop, Clock clock, Request request, Feed.Reader reader) {
    this.feed = feed;
    this.loop = loop;
    this.clock = clock;
    this.request = request;
    this.reader = reader;
  }

  void start(Transport transport, Duration answerMax) {
    silenceMax = answerMax;
    signNanos = clock.nanoTime();
    watchOver(answerMax);
    var _ =
        transport
            .send(request)
            .whenComplete((given, failure) -> feed.onLoop(() -> answered(given, failure)));
  }

  void abandon() {
    abandoned = true;
    if (watchdog != null) {
      watchdog.cancel();
    }
    if (answer != null) {
      answer.body().close();
    }
  }

  /** How long ago something came, or it was begun. */
  long quietNanos() {
    return clock.nanoTime() - signNanos;
  }

  private void watchOver(Duration wait) {
    watchdog =
        loop.runLater(
            wait,
            () -> {
              long left = silenceMax.toNanos() - (clock.nanoTime() - signNanos);
              if (left > 0) {
                watchOver(Duration.ofNanos(left));
              } else if (feed.isCurrent(this)) {
                silent();
              }
            });
  }

  private void silent() {
    String message = request + ": nothing came for " + silenceMax.toSeconds() + " seconds";
    if (answer == null) {
      feed.stuck(message);
    } else {
      reader.silent(message);
    }
  }

  private void answered(@Nullable Answer given, @Nullable Throwable failure) {
    if (abandoned) {
      if (given != null) {
        given.body().close();
      }
      return;
    }
    if (given == null) {
      feed.failed(text(failure));
      return;
    }
    answer = given;
    begunNanos = clock.nanoTime();
    sign();
    if (given.isSuccess()) {
      silenceMax = reader.silenceMax();
      reader.begun();
    }
    pull(given.body());
  }

  private void sign() {
    signNanos = clock.nanoTime();
    feed.sign();
  }

  private void pull(AnswerBody body) {
    for (int i = 0; i < PIECES_AT_ONCE && feed.isCurrent(this); i++) {
      CompletableFuture<@Nullable ByteBuffer> next = body.next();
      if (!next.isDone() || next.isCompletedExceptionally()) {
        var _ =
            next.whenComplete((piece, failure) -> feed.onLoop(() -> arrived(body, piece, failure)));
        return;
      }
      if (!took(next.join())) {
        return;
      }
    }
    feed.onLoop(
        () -> {
          if (feed.isCurrent(this)) {
            pull(body);
          }
        });
  }

  private void arrived(AnswerBody body, @Nullable ByteBuffer piece, @Nullable Throwable failure) {
    if (!feed.isCurrent(this)) {
      return;
    }
    if (failure != null) {
      feed.failed(text(failure));
    } else if (took(piece)) {
      pull(body);
    }
  }

  /** Whether more is to be pulled. */
  private boolean took(@Nullable ByteBuffer piece) {
    sign();
    try {
      if (piece == null) {
        ended();
        return false;
      }
      boolean took = isGathered() ? gather(piece) : reader.piece(piece);
      silenceMax = answer != null && answer.isSuccess() ? reader.silenceMax() : silenceMax;
      return took && feed.isCurrent(this);
    } catch (RuntimeException e) {
      // Whatever it is, it must not end the feed.
      feed.damaged(e);
      return false;
    }
  }

  private boolean isGathered() {
    return answer == null || !answer.isSuccess() || reader.isWhole();
  }

  private boolean gather(ByteBuffer piece) {
    if (gathered.size() + (long) piece.remaining() > reader.bytesMax()) {
      feed.failed(request + ": the answer is longer than " + reader.bytesMax() + " bytes");
      return false;
    }
    byte[] bytes = new byte[piece.remaining()];
    piece.get(bytes);
    gathered.writeBytes(bytes);
    return true;
  }

  private void ended() {
    Answer given = answer;
    if (given == null || given.isSuccess()) {
      reader.ended(gathered.toByteArray(), clock.nanoTime() - begunNanos);
    } else {
      reader.refused(
          Statuses.of(given.status(), given.retryAfterSeconds(), gathered.toByteArray()),
          given.retryAfterSeconds());
    }
  }

  private String text(@Nullable Throwable failure) {
    Throwable cause = failure == null ? null : FutureFailure.cause(failure);
    return cause == null || cause.getMessage() == null ? request + " failed" : cause.getMessage();
  }
}
