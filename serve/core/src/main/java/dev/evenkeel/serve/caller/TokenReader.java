package dev.evenkeel.serve.caller;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Finds out whose tokens are, of one kind. */
public interface TokenReader {

  /**
   * Looks at a token.
   *
   * @param audiences it must be meant for one of these
   */
  CompletableFuture<TokenFinding> read(String token, List<String> audiences);

  /** Whether a token was good before, so that nobody who sends it is guessing. */
  default boolean isKnown(String token) {
    return false;
  }
}
