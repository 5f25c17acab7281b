package dev.evenkeel.serve.admission;

import java.util.concurrent.CompletableFuture;

/**
 * Says that a plugin has asked somebody outside of the server and has no answer yet. The write is
 * decided again when it is there: the plugin then finds the answer and goes on. So a decision stays
 * a plain computation, and no thread waits for the network.
 */
public final class AnswerAwaited extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient CompletableFuture<?> answer;

  /**
   * @param answer completed when it makes sense to decide again, however the asking ended
   */
  public AnswerAwaited(CompletableFuture<?> answer) {
    super("an answer from outside is awaited", null, false, false);
    this.answer = answer;
  }

  public CompletableFuture<?> answer() {
    return answer;
  }
}
