package dev.evenkeel.observe.transport;

import java.util.concurrent.CompletableFuture;

/** Carries requests to one server. Safe to call from any thread; never blocks the caller. */
public interface Transport extends AutoCloseable {

  /**
   * Sends the request. The future is completed, on any thread, when status and headers are there;
   * it fails with a {@link TransportException} if they never will be. Whoever gets an answer reads
   * its body to the end or closes it.
   */
  CompletableFuture<Answer> send(Request request);

  /**
   * Sends what comes from now on over a new connection. Asked for by a caller that has heard
   * nothing for too long: a connection that died without a word would swallow the next request too.
   * Answers under way are left alone.
   */
  default void renew() {}

  /** Ends what is under way: answers fail, bodies too. */
  @Override
  void close();
}
