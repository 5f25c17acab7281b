package dev.evenkeel.observe.http;

import dev.evenkeel.observe.transport.AnswerBody;
import dev.evenkeel.observe.transport.TransportException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A body that asks the JDK's client for the next piece only when its reader does. What is sent
 * meanwhile stays with the client, up to HTTP/2's window of a stream, and then with the server.
 *
 * <p><b>Invariants:</b> at most one delivery of the client's is held; a reader that waits is told
 * once; after the end, a failure or {@link #close} no more is asked for.
 *
 * <p><b>Threading:</b> the client delivers, the reader reads, anybody closes: all under the lock,
 * and readers are told outside of it.
 */
final class HttpBody implements AnswerBody, HttpResponse.BodySubscriber<AnswerBody> {

  private final Runnable whenOver;
  private final Deque<ByteBuffer> pieces = new ArrayDeque<>();
  private Flow.@Nullable Subscription subscription;
  private @Nullable CompletableFuture<@Nullable ByteBuffer> reader;
  private @Nullable Throwable failure;
  private boolean requested;
  private boolean ended;
  private boolean over;

  /**
   * A body that nothing has been sent of yet.
   *
   * @param whenOver called once, when nothing will come any more
   */
  HttpBody(Runnable whenOver) {
    this.whenOver = whenOver;
  }

  @Override
  public CompletionStage<AnswerBody> getBody() {
    return CompletableFuture.completedFuture(this);
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    boolean closed;
    boolean awaited;
    synchronized (this) {
      subscription = given;
      closed = ended;
      // The answer may have been handed out, and read, before the client gets here.
      awaited = reader != null && !requested;
      requested |= awaited;
    }
    if (closed) {
      given.cancel();
    } else if (awaited) {
      given.request(1);
    }
  }

  @Override
  public CompletableFuture<@Nullable ByteBuffer> next() {
    Flow.Subscription ask = null;
    CompletableFuture<@Nullable ByteBuffer> waiting;
    synchronized (this) {
      if (reader != null) {
        throw new IllegalStateException("one reader at a time");
      }
      ByteBuffer piece = pieces.poll();
      if (piece != null) {
        return CompletableFuture.completedFuture(piece);
      }
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      }
      if (ended) {
        return CompletableFuture.completedFuture(null);
      }
      waiting = new CompletableFuture<>();
      reader = waiting;
      if (!requested && subscription != null) {
        requested = true;
        ask = subscription;
      }
    }
    if (ask != null) {
      ask.request(1);
    }
    return waiting;
  }

  @Override
  public void onNext(List<ByteBuffer> delivered) {
    CompletableFuture<@Nullable ByteBuffer> waiting = null;
    Flow.Subscription more = null;
    ByteBuffer first = null;
    synchronized (this) {
      requested = false;
      if (ended) {
        return;
      }
      for (ByteBuffer piece : delivered) {
        if (piece.hasRemaining()) {
          pieces.add(piece);
        }
      }
      if (reader != null) {
        first = pieces.poll();
        if (first == null) {
          requested = true;
          more = subscription;
        } else {
          waiting = reader;
          reader = null;
        }
      }
    }
    if (more != null) {
      more.request(1);
    }
    if (waiting != null) {
      waiting.complete(first);
    }
  }

  @Override
  public void onError(Throwable error) {
    end(
        new TransportException(
            TransportException.Reached.PERHAPS,
            "the answer broke off: " + Failures.text(error),
            error));
  }

  @Override
  public void onComplete() {
    end(null);
  }

  private void end(@Nullable Throwable error) {
    CompletableFuture<@Nullable ByteBuffer> waiting;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      failure = error;
      waiting = reader;
      reader = null;
    }
    over();
    if (waiting != null) {
      if (error == null) {
        waiting.complete(null);
      } else {
        waiting.completeExceptionally(error);
      }
    }
  }

  private void over() {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
    }
    whenOver.run();
  }

  @Override
  public void close() {
    stop("the answer was closed");
  }

  /** Gives up because nothing has come for too long; only if a reader waits. */
  void giveUpIfAwaited(String message) {
    boolean awaited;
    synchronized (this) {
      awaited = reader != null;
    }
    if (awaited) {
      stop(message);
    }
  }

  private void stop(String why) {
    Flow.Subscription cancel;
    synchronized (this) {
      cancel = ended ? null : subscription;
      pieces.clear();
    }
    // First, because cancelling calls back with a reason of its own.
    end(new TransportException(TransportException.Reached.PERHAPS, why, null));
    if (cancel != null) {
      cancel.cancel();
    }
  }
}
